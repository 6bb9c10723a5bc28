// The order page: cards not placed yet on one side, the judge's order on the other.

import { arrange, count, h, set } from "./dom.js";
import { makeDraggable } from "./drag.js";
import { foldButton, isLong } from "./fold.js";
import * as moves from "./order-moves.js";
import { empty, settingsOf, short } from "./order-words.js";
import { adviceOnTie } from "./rules.js";

export { describe, empty, keys, lacking, progress } from "./order-words.js";

export function board(task, { change }) {
  const { ties, cannot, top } = settingsOf(task);
  const items = new Map(task.items.map((item) => [item.id, item]));
  const lists = {
    unplaced: h("ul", { class: "cards", "aria-label": "Not placed yet" }),
    ranked: h("ol", { class: "cards", "aria-label": "Your order" }),
    cannot: h("ul", { class: "cards", "aria-label": "Cannot place" }),
  };
  const heads = {
    unplaced: h("h2"),
    ranked: h("h2", {}, top ? `Your best ${top}, best first` : "Your order, best first"),
    cannot: h("span"),
  };
  const hint = h(
    "p",
    { class: "empty-list" },
    "Nothing placed yet. Drag the best one here by its handle, press Place, or type its place.",
  );
  const done = h("p", { class: "empty-list" }, "All cards are placed.");
  const line = h("li", { class: "drop-line", role: "presentation", "aria-hidden": "true" });
  const element = h(
    "div",
    { class: "cols order" },
    h(
      "section",
      { class: "tray", "data-zone": "unplaced" },
      heads.unplaced,
      lists.unplaced,
      done,
      cannot ? h("div", { class: "zone", "data-zone": "cannot" }, heads.cannot, lists.cannot) : null,
    ),
    h("section", { "data-zone": "ranked" }, heads.ranked, hint, lists.ranked),
  );
  const cards = new Map(task.items.map((item) => [item.id, card(item)]));
  const active = { unplaced: null, ranked: null, cannot: null };
  let state = empty();
  let leaving = false; // an input is left because we move it, not because the judge is done typing

  function card(item) {
    const label = `text-${item.id}`;
    const words = h("span", { class: "words", id: label, dir: "auto" }, item.text);
    const meta = [item.source, item.date].filter(Boolean).join(" · ");
    const rank = h("input", {
      class: "rank",
      inputmode: "numeric",
      placeholder: "#",
      autocomplete: "off",
      "aria-label": `Place of: ${short(item.text)}`,
      tabindex: -1,
    });
    const tied = h("span", { class: "tie-word", hidden: true });
    const advice = h("p", { class: "advice", hidden: true });
    const acts = h("div", { class: "acts" });
    const text = h("div", { class: "text" }, words);
    const li = h(
      "li",
      { class: "card", "data-id": item.id, tabindex: -1, "aria-labelledby": label },
      tied,
      h("span", { class: "handle", "aria-hidden": "true", title: "Drag" }),
      rank,
      text,
      acts,
      advice,
    );
    if (isLong(item.text)) text.append(foldButton(li));
    if (meta) text.append(h("span", { class: "meta", dir: "auto" }, meta));
    for (const control of text.querySelectorAll("button")) control.tabIndex = -1;
    return { li, rank, acts, tied, advice, at: null };
  }

  const button = (act, text, label, id) =>
    h(
      "button",
      {
        type: "button",
        class: "mini",
        "data-act": act,
        "aria-label": label && `${label}: ${short(items.get(id).text)}`,
        title: label,
        tabindex: -1,
      },
      text,
    );

  /** The buttons of a card change with where it lies, not with every move. */
  function dress(id, at) {
    const { acts } = cards.get(id);
    const set = {
      unplaced: () => [button("last", "Place", "Place last", id), cannot && button("cannot", "✕", "Cannot place", id)],
      cannot: () => [button("back", "Take back", "Take back", id)],
      single: () => [
        button("up", "▲", "Move up", id),
        button("down", "▼", "Move down", id),
        ties && button("tie", "=", "Tie with the one above", id),
        button("back", "↩", "Take back, not placed", id),
      ],
      tied: () => [
        button("up", "▲", "Move up, out of the tie", id),
        button("down", "▼", "Move down, out of the tie", id),
        button("untie", "Untie", "Untie", id),
        button("back", "↩", "Take back, not placed", id),
      ],
    };
    acts.replaceChildren(...set[at]().filter(Boolean));
  }

  function draw(next) {
    const before = document.activeElement;
    const held = before?.closest?.(".card");
    const act = before?.dataset?.act;
    state = next;
    const where = {
      unplaced: task.items.map((item) => item.id).filter((id) => moves.locate(state, id) === "unplaced"),
      ranked: state.ranked.flat(),
      cannot: state.cannot_place,
    };
    state.ranked.forEach((place, n) =>
      place.forEach((id, m) => {
        const { li, rank, tied, advice } = cards.get(id);
        show(id, place.length > 1 ? "tied" : "single", String(n + 1));
        const part = place.length === 1 ? "" : m === 0 ? "first" : m === place.length - 1 ? "last" : "middle";
        for (const name of ["first", "middle", "last"]) li.classList.toggle(name, name === part);
        li.classList.toggle("tied", place.length > 1);
        set(tied, "hidden", part !== "first");
        if (part === "first") set(tied, "textContent", `Equally good: place ${n + 1}`);
        const words =
          part && m === place.length - 1
            ? adviceOnTie(
                task.rules ?? [],
                place.map((one) => items.get(one)),
              ).join(" ")
            : "";
        set(advice, "hidden", !words);
        set(advice, "textContent", words);
        set(rank, "disabled", false);
      }),
    );
    for (const list of ["unplaced", "cannot"]) {
      for (const id of where[list]) {
        const { li, tied, advice } = cards.get(id);
        show(id, list, "");
        li.classList.remove("tied", "first", "middle", "last");
        set(tied, "hidden", true);
        set(advice, "hidden", true);
      }
    }
    leaving = true;
    for (const list of Object.keys(lists))
      arrange(
        lists[list],
        where[list].map((id) => cards.get(id).li),
      );
    leaving = false;
    for (const list of Object.keys(lists)) {
      rove(list, where[list].includes(active[list]) ? active[list] : where[list][0]);
    }
    set(heads.unplaced, "textContent", `Not placed yet (${where.unplaced.length})`);
    set(
      heads.cannot,
      "textContent",
      where.cannot.length
        ? `Cannot place (${where.cannot.length})`
        : "Cannot place: drop it here, or press X on a card.",
    );
    set(hint, "hidden", where.ranked.length > 0);
    set(done, "hidden", where.unplaced.length > 0);
    if (held && document.activeElement !== before) (held.querySelector(`[data-act="${act}"]`) ?? held).focus();
  }

  function show(id, at, rank) {
    const one = cards.get(id);
    if (one.at !== at) dress(id, (one.at = at));
    if (one.rank !== document.activeElement || one.rank.value === one.shown) set(one.rank, "value", rank);
    one.shown = rank;
  }

  /** One tab stop per list: the card last used, with its controls. */
  function rove(list, id) {
    for (const li of lists[list].children) reach(li, li.dataset.id === id);
    active[list] = id ?? null;
  }

  function reach(li, on) {
    if (li.tabIndex === (on ? 0 : -1) && (!on || li.dataset.reach === cards.get(li.dataset.id)?.at)) return;
    li.tabIndex = on ? 0 : -1;
    li.dataset.reach = on ? cards.get(li.dataset.id).at : "";
    for (const control of li.querySelectorAll("input, button")) control.tabIndex = on ? 0 : -1;
  }

  const listOf = (id) => moves.locate(state, id);

  /** Does a move, says it, and keeps the judge's hands where they were. */
  function go(next, id, follow) {
    if (next === state) return;
    const from = listOf(id);
    const near = cards.get(id).li.nextElementSibling ?? cards.get(id).li.previousElementSibling;
    change(next, say(next, id));
    flash(id);
    if (follow === "next" && from === "unplaced" && near?.dataset.id) near.focus();
    else if (follow) cards.get(id).li.focus();
  }

  function flash(id) {
    const { li } = cards.get(id);
    li.classList.remove("moved");
    requestAnimationFrame(() => li.classList.add("moved"));
  }

  function say(next, id) {
    const at = moves.placeOf(next, id);
    const left = task.items.length - next.ranked.flat().length - next.cannot_place.length;
    const rest = left ? `${left} not placed yet.` : "All are placed.";
    if (next.cannot_place.includes(id)) return `Cannot place. ${rest}`;
    if (!at) return `Taken back. ${rest}`;
    const others = next.ranked[at - 1].length - 1;
    return others
      ? `Place ${at} of ${next.ranked.length}, tied with ${count(others, "other")}. ${rest}`
      : `Place ${at} of ${next.ranked.length}. ${rest}`;
  }

  const acts = {
    last: (id) => go(moves.placeLast(state, id), id, "next"),
    cannot: (id) => cannot && go(moves.cannotPlace(state, id), id, "next"),
    back: (id) => go(moves.without(state, id), id, "self"),
    up: (id) => go(moves.step(state, id, -1), id),
    down: (id) => go(moves.step(state, id, 1), id),
    tie: (id) => ties && go(moves.tieAbove(state, id), id, "self"),
    untie: (id) => go(moves.untie(state, id), id, "self"),
  };

  element.addEventListener("click", (event) => {
    const act = event.target.closest("[data-act]")?.dataset.act;
    if (act) acts[act](event.target.closest(".card").dataset.id);
  });
  element.addEventListener("focusin", (event) => {
    const id = event.target.closest(".card")?.dataset.id;
    if (id) rove(listOf(id), id);
  });
  element.addEventListener("change", (event) => event.target.matches(".rank") && !leaving && typed(event.target));
  element.addEventListener("keydown", (event) =>
    event.target.matches(".rank") ? inRank(event) : event.target.matches(".card") && onCard(event),
  );

  /** "3" is a place of its own; "3=" ties with what is there. */
  function typed(input, follow) {
    const id = input.closest(".card").dataset.id;
    const [, digits, equal] = input.value.trim().match(/^(\d+)\s*(=?)$/) ?? [];
    const rank = Number(digits);
    const target = state.ranked[rank - 1]?.find((other) => other !== id);
    if (!digits || !rank) {
      input.value = cards.get(id).shown;
      if (follow) input.closest(".card").focus();
      return;
    }
    const next =
      equal && ties && target
        ? moves.tie(state, id, target)
        : String(moves.placeOf(state, id)) === digits
          ? state
          : moves.place(state, id, rank);
    leaving = true;
    input.blur();
    leaving = false;
    cards.get(id).shown = input.value = "";
    if (next === state) draw(state);
    go(next, id, follow);
    if (next === state && follow) input.closest(".card").focus();
  }

  function inRank(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      typed(event.target, listOf(event.target.closest(".card").dataset.id) === "unplaced" ? "next" : "self");
    } else if (event.key === "Escape") {
      event.target.value = cards.get(event.target.closest(".card").dataset.id).shown;
      event.target.closest(".card").focus();
    }
  }

  function onCard(event) {
    const li = event.target;
    const id = li.dataset.id;
    if (event.ctrlKey || event.metaKey) return;
    const key = event.key;
    const walk = {
      ArrowUp: li.previousElementSibling,
      ArrowDown: li.nextElementSibling,
      Home: li.parentElement.firstElementChild,
      End: li.parentElement.lastElementChild,
    };
    if (event.altKey && (key === "ArrowUp" || key === "ArrowDown")) acts[key === "ArrowUp" ? "up" : "down"](id);
    else if (event.altKey) return;
    else if (key in walk) walk[key]?.focus();
    else if (key === "Enter") listOf(id) === "ranked" || acts.last(id);
    else if (key === "Delete" || key === "Backspace") listOf(id) === "unplaced" || acts.back(id);
    else if (key === "=") moves.placeOf(state, id) && acts.tie(id);
    else if (key.toLowerCase() === "x") acts.cannot(id);
    else if (/^[0-9]$/.test(key)) digit(id, key);
    else return;
    event.preventDefault();
  }

  function digit(id, key) {
    const { rank } = cards.get(id);
    if (task.items.length < 10) {
      if (key !== "0") go(moves.place(state, id, Number(key)), id, listOf(id) === "unplaced" ? "next" : "self");
      return;
    }
    rank.focus();
    rank.value = key;
  }

  makeDraggable(element, {
    movable: ".card",
    over(under, x, y, dragged) {
      const zone = under.closest("[data-zone]")?.dataset.zone;
      clear();
      if (!zone) return null;
      if (zone !== "ranked") {
        under.closest("[data-zone]").classList.add("over");
        return { zone };
      }
      return overOrder(under.closest(".card"), y, dragged);
    },
    drop(target, dragged) {
      const id = dragged.dataset.id;
      const next =
        target.zone === "cannot"
          ? moves.cannotPlace(state, id)
          : target.zone === "unplaced"
            ? moves.without(state, id)
            : target.tie
              ? moves.tie(state, id, target.tie)
              : target.beside
                ? moves.placeBeside(state, id, target.beside, target.after)
                : moves.placeLast(state, id);
      if (JSON.stringify(next) !== JSON.stringify(state)) go(next, id);
    },
    clear,
  });

  function clear() {
    line.remove();
    for (const marked of element.querySelectorAll(".over, .target")) marked.classList.remove("over", "target");
  }

  /** Over the middle of a card: a tie; over its upper or lower third: a place of its own before or after. */
  function overOrder(under, y, dragged) {
    const last = lists.ranked.lastElementChild;
    const first = lists.ranked.firstElementChild;
    if (!first) return { zone: "ranked" };
    const near =
      under ??
      (y < first.getBoundingClientRect().top
        ? first
        : ([...lists.ranked.children].find((li) => li.getBoundingClientRect().bottom > y) ?? last));
    const box = near.getBoundingClientRect();
    const part = (y - box.top) / box.height;
    if (ties && near !== dragged && under && part > 1 / 3 && part < 2 / 3) {
      near.classList.add("target");
      return { zone: "ranked", tie: near.dataset.id };
    }
    const after = part >= 0.5;
    line.style.top = `${near.offsetTop + (after ? near.offsetHeight + 8 : 0)}px`;
    lists.ranked.append(line);
    return near === dragged ? null : { zone: "ranked", beside: near.dataset.id, after };
  }

  return { element, draw };
}
