// The judgments behind a figure, from those inside the page: two judges side by side, and all judges on one task.
const compare = document.getElementById("compare"), cells = document.getElementById("cells");
const MOST = 20, WIDE = 40; // items that two judges differ on, and judges or items of a task, that are shown

// What every judge said of a thing, by judge and the thing's name; and how far two answers are apart.
function answers(columns) {
  const value = ["position", "score", "label", "group", "winner"].find((n) => n in columns), votes = value === "winner";
  const about = ["task", "criterion", "item"].filter((n) => n in columns && new Set(columns[n]).size > (n === "item" ? 0 : 1)).filter((n) => !votes || n !== "item");
  const said = new Map();
  columns.judge.forEach((judge, k) => {
    const pair = votes ? [columns.model_a[k], columns.model_b[k]] : [], thing = about.map((n) => columns[n][k]);
    const key = JSON.stringify(votes ? [...thing, [...pair].sort().join(" or ")] : thing);
    const own = said.get(judge) ?? said.set(judge, new Map()).get(judge);
    if (!own.has(key)) own.set(key, { model_a: pair[0], model_b: pair[1] }[columns[value][k]] ?? columns[value][k]); // of repeats the first
  });
  return { said, value, about: votes ? [...about, "between"] : about };
}

const shown_as = (x) => (x === null || x === undefined || x === "" ? "-" : typeof x === "number" ? String(Number(x.toPrecision(4))) : String(x));

// Whom a judge puts together with an item, in its task.
function mates(own) {
  const groups = new Map(), alone = new Set();
  const where = (key) => JSON.stringify([JSON.parse(key).slice(0, -1), own.get(key)]);
  for (const [key, group] of own) {
    if (group !== null && group !== "") (groups.get(where(key)) ?? groups.set(where(key), new Set()).get(where(key))).add(key);
  }
  return (key) => groups.get(where(key)) ?? alone;
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
  const rows = [...own.keys()].filter((key) => theirs.has(key)).map((key) => ({ key, apart: apart(key) }));
  rows.sort((x, y) => y.apart - x.apart);
  const differ = rows.filter((row) => row.apart > 0);
  return {
    text: rows.length ? `They differ on ${differ.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} that both judged${differ.length > MOST ? `; the ${MOST} farthest apart` : ""}.` : "They judged nothing in common.",
    heads: [...about, a, b],
    rows: differ.slice(0, MOST).map(({ key }) => [...JSON.parse(key), own.get(key), theirs.get(key)].map(shown_as)),
  };
}

// A row per item of a task, a column per judge.
function of_task({ said, value, about }, task) {
  const keys = new Set([...said.values()].flatMap((own) => [...own.keys()]));
  const here = [...keys].filter((key) => about[0] !== "task" || String(JSON.parse(key)[0]) === task);
  const judges = [...said.keys()].filter((j) => here.some((key) => said.get(j).has(key)));
  const mean = (key) => { const all = judges.map((j) => said.get(j).get(key)).filter((x) => typeof x === "number"); return all.length ? all.reduce((x, y) => x + y, 0) / all.length : 0; };
  here.sort((x, y) => (mean(x) - mean(y)) * (value === "position" ? 1 : -1)); // best first
  const names = about[0] === "task" ? about.slice(1) : about, skip = about.length - names.length;
  const cut = [here.length > WIDE && `the first ${WIDE} of ${here.length} items`, judges.length > WIDE && `${WIDE} of ${judges.length} judges`].filter(Boolean);
  return {
    text: `What each judge said${cut.length ? `: ${cut.join(", ")}` : ""}.`,
    heads: [...names, ...judges.slice(0, WIDE)],
    rows: here.slice(0, WIDE).map((key) => [...JSON.parse(key).slice(skip), ...judges.slice(0, WIDE).map((j) => said.get(j).get(key))].map(shown_as)),
  };
}

if (compare && "DecompressionStream" in window) {
  const [first, second] = compare.querySelectorAll("select"), task = cells.querySelector("select");
  let found = null;
  async function show(box, make) {
    if (!box.open) return;
    const status = box.querySelector("[role=status]"), table = box.querySelector("table");
    found ??= whole_data().then(({ input }) => (input?.judgments ? answers(input.judgments) : null));
    const data = await found;
    if (!data) { status.textContent = "The judgments are too large for this page."; return; }
    const { text, heads, rows } = make(data);
    const line = (texts, tag) => {
      const tr = document.createElement("tr");
      for (const cell of texts) tr.append(Object.assign(document.createElement(tag), { textContent: cell, ...(tag === "th" ? { scope: "col" } : {}) }));
      return tr;
    };
    status.textContent = text;
    table.tHead.replaceChildren(line(heads, "th"));
    table.tBodies[0].replaceChildren(...rows.map((row) => line(row, "td")));
    table.hidden = !rows.length;
  }
  const pair = () => show(compare, (data) => side_by_side(data, first.value, second.value));
  const grid = () => show(cells, (data) => of_task(data, task?.value));
  for (const [box, made] of [[compare, pair], [cells, grid]]) {
    box.hidden = false;
    for (const event of ["toggle", "change"]) box.addEventListener(event, made);
  }
  const has = (select, name) => [...(select?.options ?? [])].some((o) => o.value === name);
  function open_pair(a, b) {
    first.value = a;
    if (has(second, b) && a !== b) second.value = b;
    if (second.value === a) second.value = [...second.options].find((o) => o.value !== a)?.value;
    compare.open = true;
    compare.scrollIntoView();
    pair();
  }
  addEventListener("figure", ({ detail }) => { // a mark of a chart was clicked
    const { judge, other } = detail, named = String(detail.task ?? "") || String(detail.item ?? "").split(": ")[0];
    if (has(first, judge)) return open_pair(judge, other);
    if (!has(task, named) && !(task === null && "item" in detail)) return;
    if (task) task.value = named;
    cells.open = true;
    cells.scrollIntoView();
    grid();
  });
  JSON.parse(compare.dataset.off).forEach((judge, k) => { // from the evidence of a judge who is off
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Side by side with another judge" });
    button.addEventListener("click", () => open_pair(judge));
    document.getElementById(`off-${k + 1}`)?.append(button);
  });
}
