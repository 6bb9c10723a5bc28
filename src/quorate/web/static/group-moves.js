// Moves of a card sort: a state in, a new state out. An item in no group and no pile is not judged yet.

export const empty = () => ({ kind: "group", groups: [], unsure: [], left_out: [] });

export const PILES = ["unsure", "left_out"];

/** Where an item lies: a group's id, "unsure", "left_out", or "unsorted". */
export function locate(state, id) {
  const pile = PILES.find((name) => state[name].includes(id));
  return pile ?? state.groups.find((group) => group.items.includes(id))?.id ?? "unsorted";
}

/** As if these items had not been judged. Groups that were never named go when they are empty. */
export function without(state, ids) {
  const rest = (items) => items.filter((id) => !ids.includes(id));
  const groups = state.groups
    .map((group) => ({ ...group, items: rest(group.items) }))
    .filter((group) => group.items.length || group.name);
  return { ...state, groups, unsure: rest(state.unsure), left_out: rest(state.left_out) };
}

/** Items into a group, which is made if it is not there; `name` is for a new one. */
export function toGroup(state, ids, group, name = "") {
  const had = state.groups.find((one) => one.id === group);
  const rest = without(state, ids);
  const at = state.groups.findIndex((one) => one.id === group);
  const groups =
    rest.groups.some((one) => one.id === group) || !had
      ? rest.groups
      : rest.groups.toSpliced(at, 0, { ...had, items: [] });
  if (!had) return { ...rest, groups: [...groups, { id: group, name, items: [...ids] }] };
  return { ...rest, groups: groups.map((one) => (one.id === group ? { ...one, items: [...one.items, ...ids] } : one)) };
}

export const toPile = (state, ids, pile) => {
  const rest = without(state, ids);
  return { ...rest, [pile]: [...rest[pile], ...ids] };
};

/** A name for a group that nobody uses yet. */
export function newId(state) {
  const used = new Set(state.groups.map((group) => group.id));
  let n = 1;
  while (used.has(`g${n}`)) n += 1;
  return `g${n}`;
}

export const rename = (state, group, name) => ({
  ...state,
  groups: state.groups.map((one) => (one.id === group ? { ...one, name } : one)),
});

export const dissolve = (state, group) => ({ ...state, groups: state.groups.filter((one) => one.id !== group) });
