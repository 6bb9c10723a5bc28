// Two judges side by side: the items on which they differ most, from the judgments inside the page.
const compare = document.getElementById("compare");

// What every judge said of a thing, by judge and the thing's name; and how far two answers are apart.
function answers(columns) {
  const names = Object.keys(columns), value = ["position", "score", "label", "group", "winner"].find((n) => n in columns);
  const about = ["task", "criterion", "item"].filter((n) => n in columns && new Set(columns[n]).size > (n === "item" ? 0 : 1));
  const said = new Map();
  columns.judge.forEach((judge, k) => {
    const pair = value === "winner" ? [columns.model_a[k], columns.model_b[k]] : [];
    const thing = value === "winner" ? [...about.filter((n) => n !== "item").map((n) => columns[n][k]), [...pair].sort().join(" or ")] : about.map((n) => columns[n][k]);
    const place = { model_a: pair[0], model_b: pair[1] }[columns[value][k]];
    const own = said.get(judge) ?? said.set(judge, new Map()).get(judge), key = JSON.stringify(thing);
    if (!own.has(key)) own.set(key, place ?? columns[value][k]); // of repeats the first
  });
  return { said, value, about: value === "winner" ? [...about.filter((n) => n !== "item"), "between"] : about, names };
}

// Whom a judge puts together with an item, in its task.
function mates(own) {
  const groups = new Map();
  for (const [key, group] of own) {
    const where = JSON.stringify([JSON.parse(key).slice(0, -1), group]);
    if (group !== null && group !== "") (groups.get(where) ?? groups.set(where, new Set()).get(where)).add(key);
  }
  const alone = new Set();
  return (key) => groups.get(JSON.stringify([JSON.parse(key).slice(0, -1), own.get(key)])) ?? alone;
}

function side_by_side({ said, value, about }, a, b) {
  const [own, theirs] = [said.get(a), said.get(b)], [ours, others] = [mates(own), mates(theirs)];
  const apart = (key) => {
    const [x, y] = [own.get(key), theirs.get(key)];
    if (value === "group") {
      const both = new Set([...ours(key), ...others(key)]), same = [...ours(key)].filter((k) => others(key).has(k)).length;
      return both.size ? 1 - same / both.size : 0;
    }
    return typeof x === "number" && typeof y === "number" ? Math.abs(x - y) : Number(x !== y);
  };
  const shown = (x) => (x === null || x === undefined || x === "" ? "-" : typeof x === "number" ? String(Number(x.toPrecision(4))) : String(x));
  const rows = [...own.keys()].filter((key) => theirs.has(key)).map((key) => ({ key, apart: apart(key) }));
  rows.sort((x, y) => y.apart - x.apart);
  const differ = rows.filter((row) => row.apart > 0);
  return {
    text: rows.length ? `They differ on ${differ.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} that both judged${differ.length > 20 ? "; the 20 farthest apart" : ""}.` : "They judged nothing in common.",
    heads: [...about, a, b],
    rows: differ.slice(0, 20).map(({ key }) => [...JSON.parse(key), own.get(key), theirs.get(key)].map(shown)),
  };
}

if (compare && "DecompressionStream" in window) {
  const [first, second] = compare.querySelectorAll("select"), status = compare.querySelector("[role=status]");
  const table = compare.querySelector("table");
  let found = null;
  async function show() {
    if (!compare.open) return;
    found ??= whole_data().then(({ input }) => (input?.judgments ? answers(input.judgments) : null));
    const data = await found;
    if (!data) { status.textContent = "The judgments are too large for this page."; return; }
    const { text, heads, rows } = side_by_side(data, first.value, second.value);
    const line = (cells, tag) => {
      const tr = document.createElement("tr");
      for (const cell of cells) tr.append(Object.assign(document.createElement(tag), { textContent: cell, ...(tag === "th" ? { scope: "col" } : {}) }));
      return tr;
    };
    status.textContent = text;
    table.tHead.replaceChildren(line(heads, "th"));
    table.tBodies[0].replaceChildren(...rows.map((row) => line(row, "td")));
    table.hidden = !rows.length;
  }
  compare.hidden = false;
  for (const event of ["toggle", "change"]) compare.addEventListener(event, show);
  JSON.parse(compare.dataset.off).forEach((judge, k) => { // from the evidence of a judge who is off
    const part = document.getElementById(`off-${k + 1}`), button = document.createElement("button");
    button.type = "button";
    button.textContent = "Side by side with another judge";
    button.addEventListener("click", () => {
      first.value = judge;
      if (second.value === judge) second.value = [...second.options].find((o) => o.value !== judge)?.value;
      compare.open = true;
      compare.scrollIntoView();
      show();
    });
    part?.append(button);
  });
}
