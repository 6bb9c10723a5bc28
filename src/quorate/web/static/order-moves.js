// Moves of an order: a state in, a new state out. A place is a list of items that tie; whatever is in no list is not judged yet.

export const empty = () => ({ kind: "order", ranked: [], cannot_place: [] });

/** The place of an item, from 1; 0 if it has none. */
export const placeOf = (state, id) => state.ranked.findIndex((place) => place.includes(id)) + 1;

export function locate(state, id) {
  if (state.cannot_place.includes(id)) return "cannot";
  return placeOf(state, id) ? "ranked" : "unplaced";
}

/** As if the item had not been judged. */
export function without(state, id) {
  return {
    ...state,
    ranked: state.ranked.map((place) => place.filter((other) => other !== id)).filter((place) => place.length),
    cannot_place: state.cannot_place.filter((other) => other !== id),
  };
}

/** A place of its own, the one numbered `rank`; those from there on move down. */
export function place(state, id, rank) {
  const rest = without(state, id);
  const at = Math.max(0, Math.min(rank - 1, rest.ranked.length));
  return { ...rest, ranked: [...rest.ranked.slice(0, at), [id], ...rest.ranked.slice(at)] };
}

export const placeLast = (state, id) => place(state, id, Infinity);

/** Just before or just after another item, as a place of its own. */
export function placeBeside(state, id, other, after) {
  if (id === other) return state;
  const rest = without(state, id);
  return place(rest, id, placeOf(rest, other) + (after ? 1 : 0));
}

/** In the same place as another item. */
export function tie(state, id, other) {
  if (id === other || (placeOf(state, id) && placeOf(state, id) === placeOf(state, other))) return state;
  const rest = without(state, id);
  return { ...rest, ranked: rest.ranked.map((held) => (held.includes(other) ? [...held, id] : held)) };
}

/** Ties an item with the place above its own. */
export function tieAbove(state, id) {
  const at = placeOf(state, id);
  return at > 1 && state.ranked[at - 1].length === 1 ? tie(state, id, state.ranked[at - 2][0]) : state;
}

/** Out of its tie, into a place of its own just below. */
export function untie(state, id) {
  const at = placeOf(state, id);
  return at && state.ranked[at - 1].length > 1 ? place(state, id, at + 1) : state;
}

/** One place up (-1) or down (+1). Out of a tie, it stands alone just above or below. */
export function step(state, id, by) {
  const at = placeOf(state, id);
  if (!at) return state;
  if (state.ranked[at - 1].length > 1) return place(state, id, by < 0 ? at : at + 1);
  const to = at + by;
  return to < 1 || to > state.ranked.length ? state : place(state, id, to);
}

export const cannotPlace = (state, id) => ({
  ...without(state, id),
  cannot_place: [...without(state, id).cannot_place, id],
});
