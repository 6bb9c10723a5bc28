// The group page: cards on one side, groups on the other; open (the judge names groups), closed (names are given) or hybrid.

import { announce, arrange, count, h, set } from "./dom.js";
import { makeDraggable } from "./drag.js";
import { foldButton, isLong } from "./fold.js";
import * as moves from "./group-moves.js";
import { openMenu } from "./menu.js";
import { adviceOnGroup, adviceOnSort } from "./rules.js";

export const empty = moves.empty;

const settingsOf = ({ settings = {} }) => ({
  open: settings.sort !== "closed",
  fixed: settings.sort && settings.sort !== "open" ? (settings.names ?? []) : [],
  unsure: settings.unsure ?? true,
  left_out: settings.left_out ?? true,
});
const PILE_NAMES = { unsure: "Unsure", left_out: "Left out" };
const short = (text) => (text.length > 40 ? `${text.slice(0, 37)}…` : text);
const sorted = (state) =>
  state.groups.flatMap((group) => group.items).length + state.unsure.length + state.left_out.length;

export const progress = (task, state) => ({ done: sorted(state), total: task.items.length });

export function lacking(task, state) {
  const left = task.items.length - sorted(state);
  return left
    ? `${count(left, "card is", "cards are")} in no group yet. You can go on later; everything so far is kept.`
    : "";
}

export function describe(task, state) {
  const text = new Map(task.items.map((item) => [item.id, item.text]));
  const list = (name, ids) =>
    h("li", {}, h("b", { dir: "auto" }, `${name}: `), ids.map((id) => short(text.get(id) ?? id)).join("; "));
  const left = task.items.length - sorted(state);
  return [
    h(
      "ul",
      {},
      state.groups
        .filter((group) => group.items.length)
        .map((group, n) => list(group.name || `Group ${n + 1}`, group.items)),
      moves.PILES.filter((pile) => state[pile].length).map((pile) => list(PILE_NAMES[pile], state[pile])),
    ),
    left ? h("p", { class: "soft" }, `${left} in no group yet`) : null,
  ];
}

export function keys(task) {
  const { open, unsure, left_out } = settingsOf(task);
  return [
    ["↑", "↓", "go from card to card"],
    ["Space", "choose"],
    ["1–9", "move to that group"],
    ...(open ? [["N", "new group"]] : []),
    ...(unsure ? [["U", "unsure"]] : []),
    ...(left_out ? [["O", "left out"]] : []),
    ["M", "all places"],
    ["Delete", "take back"],
    ["Ctrl+Z", "undo"],
  ];
}

export function board(task, { change }) {
  const settings = settingsOf(task);
  const rules = task.rules ?? [];
  const items = new Map(task.items.map((item) => [item.id, item]));
  const chosen = new Set();
  const title = h("h2");
  const moveChosen = h(
    "button",
    { type: "button", onclick: (event) => menuFor([...chosen], event.currentTarget) },
    "Move chosen to …",
  );
  const groupChosen = h(
    "button",
    { type: "button", onclick: () => go(toNew([...chosen]), [...chosen]) },
    "New group of chosen",
  );
  const lists = { unsorted: h("ul", { class: "cards", "aria-label": "Cards in no group yet" }) };
  const piles = moves.PILES.filter((pile) => settings[pile]).map((pile) => {
    lists[pile] = h("ul", { class: "cards", "aria-label": PILE_NAMES[pile] });
    return h("div", { class: "pile", "data-zone": pile }, h("h3", {}, PILE_NAMES[pile]), lists[pile]);
  });
  const grid = h("div", { class: "groups" });
  const fresh = h(
    "div",
    { class: "pile", "data-zone": "new" },
    h("h3", {}, "New group"),
    h("p", { class: "soft small" }, "Drop a card here, or use its … button."),
  );
  const advice = h("p", { class: "advice", hidden: true });
  const element = h(
    "div",
    { class: "cols sort" },
    h(
      "section",
      { class: "tray" },
      title,
      h("div", { "data-zone": "unsorted" }, lists.unsorted),
      piles,
      h("p", { class: "buttons" }, moveChosen, settings.open ? groupChosen : null),
    ),
    h("section", {}, h("h2", {}, "Your groups"), advice, grid),
  );
  const chips = new Map(task.items.map((item) => [item.id, chip(item)]));
  const boxes = new Map();
  const active = {};
  let state = empty();

  function chip(item) {
    const li = h("li", { class: "chip", "data-id": item.id });
    const words = h("span", { class: "words", dir: "auto" }, item.text);
    const meta = [item.source, item.date].filter(Boolean).join(" · ");
    const button = h(
      "button",
      { type: "button", class: "text", "aria-pressed": "false", tabindex: -1 },
      words,
      meta ? h("span", { class: "meta", dir: "auto" }, meta) : null,
    );
    const more = h(
      "button",
      { type: "button", class: "mini where", "aria-label": `Move: ${short(item.text)}`, title: "Move", tabindex: -1 },
      "…",
    );
    li.append(
      h("span", { class: "handle", "aria-hidden": "true", title: "Drag" }),
      h("div", {}, button, isLong(item.text, 200, 4) ? foldButton(li) : null),
      more,
    );
    return { li, button, more };
  }

  /** Groups as shown: the given ones first, then the judge's own. */
  function shown() {
    const given = settings.fixed.map(
      (name, n) => state.groups.find((group) => group.id === `f${n + 1}`) ?? { id: `f${n + 1}`, name, items: [] },
    );
    return [...given, ...state.groups.filter((group) => !/^f\d+$/.test(group.id))];
  }

  const fixed = (id) => /^f\d+$/.test(id);
  const nameOf = (group, n) => group.name || `Group ${n + 1}`;

  function box(group) {
    const list = h("ul", { class: "cards" });
    const number = h("span", { class: "size" });
    const size = h("span", { class: "size cards-in" });
    const note = h("p", { class: "advice", hidden: true });
    const name = fixed(group.id)
      ? h("h3", { dir: "auto" }, group.name)
      : h("input", {
          class: "name",
          placeholder: "Name this group",
          dir: "auto",
          maxlength: 200,
          onchange: (event) => change(moves.rename(state, group.id, event.target.value.trim()), "Group renamed."),
          onkeydown: (event) => event.key === "Enter" && event.target.blur(),
        });
    const remove = fixed(group.id)
      ? null
      : h(
          "button",
          { type: "button", class: "mini", title: "Dissolve this group", onclick: () => dissolve(group.id) },
          "✕",
        );
    const root = h(
      "section",
      { class: "group", "data-zone": group.id },
      h("header", {}, number, name, remove, size),
      list,
      note,
    );
    return { root, list, number, size, name, note, remove };
  }

  function dissolve(id) {
    change(moves.dissolve(state, id), "Group dissolved; its cards are in no group.");
    (lists.unsorted.querySelector("button.text") ?? title).focus?.();
  }

  function draw(next) {
    const before = document.activeElement;
    state = next;
    const groups = shown();
    const used = new Set(groups.map((group) => group.id));
    for (const id of boxes.keys()) if (!used.has(id)) boxes.delete(id);
    groups.forEach((group, n) => {
      if (!boxes.has(group.id)) boxes.set(group.id, box(group));
      const one = boxes.get(group.id);
      const label = nameOf(group, n);
      set(one.number, "textContent", n < 9 ? `${n + 1}` : "");
      set(one.size, "textContent", group.items.length ? count(group.items.length, "card") : "empty");
      if (one.name.matches("input")) {
        if (one.name !== document.activeElement) set(one.name, "value", group.name);
        one.name.setAttribute("aria-label", `Name of group ${n + 1}`);
        one.remove.setAttribute("aria-label", `Dissolve ${label}`);
      }
      one.list.setAttribute("aria-label", label);
      const words = adviceOnGroup(
        rules,
        group.items.map((id) => items.get(id)),
        group.name,
      ).join(" ");
      set(one.note, "hidden", !words);
      set(one.note, "textContent", words);
      arrange(
        one.list,
        group.items.map((id) => chips.get(id).li),
      );
    });
    arrange(grid, [...groups.map((group) => boxes.get(group.id).root), ...(settings.open ? [fresh] : [])]);
    const left = task.items.filter((item) => moves.locate(state, item.id) === "unsorted").map((item) => item.id);
    arrange(
      lists.unsorted,
      left.map((id) => chips.get(id).li),
    );
    for (const pile of moves.PILES)
      if (lists[pile])
        arrange(
          lists[pile],
          state[pile].map((id) => chips.get(id).li),
        );
    const words = adviceOnSort(rules, groups.filter((group) => group.items.length).length);
    set(advice, "hidden", !words);
    set(advice, "textContent", words);
    mark();
    for (const list of allLists())
      rove(list, list.querySelector(`[data-id="${active[keyOf(list)]}"]`) ?? list.firstElementChild);
    if (before?.closest?.(".chip") && document.activeElement !== before && before.isConnected) before.focus();
  }

  const allLists = () => [...Object.values(lists), ...[...boxes.values()].map((one) => one.list)];
  const keyOf = (list) => list.closest("[data-zone]").dataset.zone;

  function mark() {
    for (const [id, { li, button }] of chips) {
      const on = chosen.has(id);
      if (li.classList.contains("chosen") === on) continue;
      li.classList.toggle("chosen", on);
      button.setAttribute("aria-pressed", String(on));
    }
    const left = task.items.length - sorted(state);
    title.textContent = `Cards (${left} left)${chosen.size ? ` · ${chosen.size} chosen` : ""}`;
    moveChosen.disabled = groupChosen.disabled = !chosen.size;
  }

  /** One tab stop per list. */
  function rove(list, li) {
    for (const other of list.children) {
      const on = other === li;
      const { button, more } = chips.get(other.dataset.id);
      if (button.tabIndex !== (on ? 0 : -1)) button.tabIndex = more.tabIndex = on ? 0 : -1;
    }
    active[keyOf(list)] = li?.dataset.id;
  }

  const toNew = (ids) => moves.toGroup(state, ids, moves.newId(state));
  const toGroup = (ids, group) => moves.toGroup(state, ids, group, settings.fixed[Number(group.slice(1)) - 1] ?? "");

  function go(next, ids, { follow } = {}) {
    if (!ids.length || JSON.stringify(next) === JSON.stringify(state)) return;
    const { li } = chips.get(ids[0]);
    const from = moves.locate(state, ids[0]);
    const near = [li.nextElementSibling, li.previousElementSibling].find(
      (other) => other && !ids.includes(other.dataset.id),
    );
    chosen.clear();
    change(next, say(next, ids));
    if (follow) (from === "unsorted" && near ? chips.get(near.dataset.id) : chips.get(ids[0])).button.focus();
  }

  function say(next, ids) {
    const at = moves.locate(next, ids[0]);
    const left = task.items.length - sorted(next);
    const n = next.groups.findIndex((group) => group.id === at);
    const place =
      at === "unsorted"
        ? "Taken back"
        : (PILE_NAMES[at] ?? `In ${nameOf(next.groups[n], n)}, ${count(next.groups[n].items.length, "card")}`);
    return `${ids.length > 1 ? `${ids.length} cards. ` : ""}${place}. ${left ? `${left} left.` : "All cards are sorted."}`;
  }

  function menuFor(ids, beside) {
    if (!ids.length) return;
    const choices = shown().map((group, n) => [
      `${n + 1}. ${group.name || short(items.get(group.items[0])?.text ?? "empty")}`,
      () => go(toGroup(ids, group.id), ids, { follow: true }),
    ]);
    if (settings.open) choices.push(["New group", () => go(toNew(ids), ids, { follow: true })]);
    for (const pile of moves.PILES)
      if (settings[pile])
        choices.push([PILE_NAMES[pile], () => go(moves.toPile(state, ids, pile), ids, { follow: true })]);
    if (ids.some((id) => moves.locate(state, id) !== "unsorted"))
      choices.push(["Take back", () => go(moves.without(state, ids), ids, { follow: true })]);
    openMenu(beside, "Move to", choices);
  }

  const with_ = (id) => (chosen.has(id) ? [...chosen] : [id]);

  element.addEventListener("click", (event) => {
    const li = event.target.closest(".chip");
    if (!li) return;
    const id = li.dataset.id;
    if (event.target.closest(".where")) menuFor(with_(id), event.target.closest(".where"));
    else if (event.target.closest("button.text")) {
      if (!chosen.delete(id)) chosen.add(id);
      mark();
      announce(`${chosen.size} chosen`);
    }
  });
  element.addEventListener("focusin", (event) => {
    const li = event.target.closest(".chip");
    if (li) rove(li.parentElement, li);
  });
  element.addEventListener("keydown", (event) => {
    if (!event.target.matches("button.text") || event.ctrlKey || event.metaKey || event.altKey) return;
    const li = event.target.closest(".chip");
    const ids = with_(li.dataset.id);
    const key = event.key.toLowerCase();
    const walk = {
      arrowup: li.previousElementSibling,
      arrowdown: li.nextElementSibling,
      home: li.parentElement.firstElementChild,
      end: li.parentElement.lastElementChild,
    };
    if (key in walk) walk[key] && chips.get(walk[key].dataset.id).button.focus();
    else if (/^[1-9]$/.test(key)) {
      const group = shown()[Number(key) - 1];
      if (group) go(toGroup(ids, group.id), ids, { follow: true });
      else announce(`There is no group ${key}.`);
    } else if (key === "n" && settings.open) go(toNew(ids), ids, { follow: true });
    else if (key === "u" && settings.unsure) go(moves.toPile(state, ids, "unsure"), ids, { follow: true });
    else if (key === "o" && settings.left_out) go(moves.toPile(state, ids, "left_out"), ids, { follow: true });
    else if (key === "m") menuFor(ids, event.target);
    else if (key === "delete" || key === "backspace") go(moves.without(state, ids), ids, { follow: true });
    else return;
    event.preventDefault();
  });

  const clear = () => element.querySelectorAll(".over").forEach((zone) => zone.classList.remove("over"));
  makeDraggable(element, {
    movable: ".chip",
    over(under) {
      clear();
      const zone = under.closest("[data-zone]");
      zone?.classList.add("over");
      return zone && { zone: zone.dataset.zone };
    },
    drop({ zone }, dragged) {
      const ids = with_(dragged.dataset.id);
      if (zone === "new") go(toNew(ids), ids);
      else if (zone === "unsorted") go(moves.without(state, ids), ids);
      else if (moves.PILES.includes(zone)) go(moves.toPile(state, ids, zone), ids);
      else if (moves.locate(state, ids[0]) !== zone || ids.length > 1) go(toGroup(ids, zone), ids);
    },
    clear,
  });

  return { element, draw };
}
