// Rules of the guidelines, explained beside what they concern. They advise while judging; they never stop a draft from being saved.

import { count } from "./dom.js";

const sameSource = (items) => {
  const sources = items.map((item) => item.source).filter(Boolean);
  return sources.length !== new Set(sources).size;
};

const TIES = {
  max_tie: (items, { n }) => items.length > n && `At most ${count(n, "item")} may share a place.`,
  no_ties_of_same_source: (items) =>
    items.length > 1 && sameSource(items) && "Two from the same source should not share a place.",
};

const GROUPS = {
  min_group: (items, { n }) => items.length < n && `A group needs at least ${count(n, "item")}.`,
  max_group: (items, { n }) => items.length > n && `A group may hold at most ${count(n, "item")}.`,
  one_per_source: (items) => sameSource(items) && "Two from the same source should not be in one group.",
  named_groups: (items, rule, name) => !name.trim() && "Please name this group.",
};

const broken = (checks, rules, ...about) =>
  rules.flatMap((rule) => {
    const words = checks[rule.rule]?.(...about.slice(0, 1), rule, ...about.slice(1));
    return words ? [rule.text || words] : [];
  });

/** What the rules say of items that share a place. */
export const adviceOnTie = (rules, items) => broken(TIES, rules, items);

/** What the rules say of a group. */
export const adviceOnGroup = (rules, items, name) => (items.length ? broken(GROUPS, rules, items, name) : []);

/** What the rules say of a whole sort. */
export function adviceOnSort(rules, groups) {
  const rule = rules.find((one) => one.rule === "max_groups");
  return rule && groups > rule.n ? rule.text || `At most ${count(rule.n, "group")} please; you have ${groups}.` : "";
}
