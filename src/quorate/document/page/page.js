// Draws the charts in the colours of the page, turns the pages of long tables, and changes dark and light.
const root = document.documentElement;
const button = document.getElementById("theme");
const holder = document.getElementById("charts");
const specs = holder ? JSON.parse(holder.textContent) : {};
for (const { datasets } of Object.values(specs)) {
  const { shapes, named, names, rows } = datasets?.rows ?? {}; // written without repeating names
  if (shapes) {
    datasets.rows = rows.map(([shape, ...values]) => {
      const cells = values.map((v, k) => [shapes[shape][k], named.includes(shapes[shape][k]) ? names[v] : v]);
      return Object.fromEntries(cells);
    });
  }
}
const system = matchMedia("(prefers-color-scheme: dark)");

// Colours are the page's own, by name: they follow dark, light and paper without drawing again.
const ink = "var(--ink)", line = "var(--line)", main = "var(--main)";
const config = {
  background: "transparent",
  font: "system-ui, sans-serif",
  view: { stroke: null },
  axis: { labelColor: ink, titleColor: ink, gridColor: line, domainColor: line, tickColor: line, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 600 },
  legend: { labelColor: ink, titleColor: ink, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 600 },
  axisXQuantitative: { tickCount: { expr: "ceil(width / 80)" }, labelFlush: false },
  text: { color: ink, fill: ink },
  style: { halo: { stroke: "var(--back)", strokeWidth: 4, strokeJoin: "round" } },
  bar: { color: main }, point: { color: main }, rule: { color: ink, aria: false }, line: { color: main }, area: { color: main },
};

// Charts with rows are as wide as the page but as high as they need, which Vega-Lite tells as if it were a mistake.
const { warn } = console;
console.warn = (...said) => {
  if (!said.some((text) => String(text).startsWith('Dropping "fit-y"'))) warn.apply(console, said);
};

async function unzipped(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

// As a script of the page's own, so that the page needs no leave to make code of text.
function run(text) {
  const script = document.createElement("script");
  script.textContent = `(function () {"use strict";${text}})();`;
  document.head.append(script);
  script.remove();
}

async function draw() {
  const places = document.querySelectorAll("[data-chart]");
  const library = document.getElementById("library");
  if (library && !("DecompressionStream" in window)) { // before 2023
    for (const place of places) place.textContent = "This browser is too old to draw the chart; its data are below.";
    return;
  }
  if (library) run(await unzipped(library.textContent));
  const folded = [...places].filter((place) => place.closest("details:not([open])"));
  for (const place of [...places].filter((each) => !folded.includes(each))) await embed(place);
  for (const place of folded) { // drawn out of sight, as wide as it will be, so that paper has it too
    const box = place.closest("details"), stage = document.createElement("div"), mark = document.createComment("");
    stage.style.cssText = `position: absolute; left: -9999px; width: ${room(place)}px`;
    place.replaceWith(mark);
    stage.append(place);
    box.parentElement.append(stage);
    await embed(place);
    mark.replaceWith(place);
    stage.remove();
  }
  root.dataset.ready = "yes";
}

async function embed(place) {
  const options = { ast: true, actions: false, renderer: "svg", logLevel: 1, config, tooltip: { disableDefaultStyle: true } };
  const { view } = await window.vegaEmbed(place, specs[place.dataset.chart], options);
  view.addEventListener("click", (_, mark) => { if (mark?.datum) dispatchEvent(new CustomEvent("figure", { detail: mark.datum })); });
  place.dataset.drawn = "yes";
}

// What a chart inside a part that is closed will have across: the section's width without the figure's frame.
function room(place) {
  const figure = getComputedStyle(place.closest("figure")), em = parseFloat(getComputedStyle(root).fontSize);
  const frame = ["paddingLeft", "paddingRight", "borderLeftWidth", "borderRightWidth"].map((n) => parseFloat(figure[n]) || em);
  const wide = place.closest("section").clientWidth - frame.reduce((a, b) => a + b, 0);
  return Math.max(wide, parseFloat(place.style.minWidth) || 0);
}

// A link into a part that is closed opens it; paper has all parts open.
function unfold() {
  const place = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let box = place || null; box; box = box.parentElement?.closest("details")) if (box.tagName === "DETAILS") box.open = true;
  if (place) place.scrollIntoView();
}
addEventListener("hashchange", unfold);
document.addEventListener("click", (event) => { if (event.target.closest?.('a[href^="#"]')) setTimeout(unfold); });
document.addEventListener("toggle", () => dispatchEvent(new Event("resize")), true); // charts take the room there is now
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const box of closed) box.open = true;
});
addEventListener("afterprint", () => { for (const box of closed) box.open = false; });

// As words/numbers.py has it: three decimals in a column of figures, whole numbers with their thousands apart.
function shown(value, form) {
  if (value === null && (form === "figure" || form === "count")) return "undefined";
  if (value === null) return "-";
  if (typeof value !== "number") return String(value ?? "");
  const size = Math.abs(value), digits = form === "count" ? 0 : size < 1000 ? 3 : 1;
  if (size >= (form === "count" ? 1e12 : 1e9)) return Number(value.toPrecision(4)).toExponential().replace(/e\+(\d)$/, "e+0$1");
  const text = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return /[1-9]/.test(text) ? text : text.replace("-", "");
}

function heads(box) {
  return [...box.querySelectorAll("thead tr:last-child th")];
}

function rows_of(box) {
  const chart = specs[box.dataset.rows]; // a picture's data are there already
  if (!chart) return JSON.parse(box.querySelector("script.rows").textContent);
  const columns = heads(box).map((th) => [th.textContent, th.dataset.form]);
  return chart.datasets.rows.map((row) => columns.map(([name, form]) => shown(row[name], form)));
}

function pages(box) {
  const rows = rows_of(box);
  const body = box.querySelector("tbody"), bar = box.querySelector(".pages"), status = bar.querySelector("[role=status]");
  const numeric = heads(box).map((th) => th.classList.contains("n"));
  const size = body.rows.length, first = body.innerHTML, [back, on] = bar.querySelectorAll("button");
  let at = 0;
  function show() {
    if (at) {
      body.replaceChildren(...rows.slice(at, at + size).map((row) => {
        const tr = document.createElement("tr");
        row.forEach((text, k) => {
          const td = tr.insertCell();
          td.append(...text.split("(").flatMap((part, n) => (n ? ["(", document.createElement("wbr"), part] : [part])));
          td.className = numeric[k] ? "n" : text.length > 24 ? "long" : "";
        });
        return tr;
      }));
    } else {
      body.innerHTML = first;
    }
    status.textContent = `Rows ${at + 1} to ${Math.min(at + size, rows.length)} of ${rows.length.toLocaleString("en")}`;
    back.setAttribute("aria-disabled", String(at === 0));
    on.setAttribute("aria-disabled", String(at + size >= rows.length));
  }
  bar.addEventListener("click", (event) => {
    const by = Number(event.target.dataset?.by ?? 0) * size;
    if (!by || at + by < 0 || at + by >= rows.length) return;
    at += by;
    show();
  });
  addEventListener("beforeprint", () => { at = 0; show(); });
  bar.hidden = false;
  show();
}

function dark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
}

function label() {
  button.textContent = dark() ? "Light" : "Dark";
  button.setAttribute("aria-label", dark() ? "Change to light colours" : "Change to dark colours");
}

button.addEventListener("click", () => {
  root.dataset.theme = dark() ? "light" : "dark";
  label();
});
system.addEventListener("change", label);
addEventListener("keydown", (event) => { if (event.key === "Escape") root.dataset.hushed = "yes"; }); // no more of this word
for (const next of ["pointerover", "focusin"]) addEventListener(next, () => { delete root.dataset.hushed; });
label();
if (location.protocol === "about:") { // in the frame of a notebook '#...' leads to the notebook, not to this page
  document.addEventListener("click", (event) => {
    const place = event.target.closest?.('a[href^="#"]')?.getAttribute("href");
    if (!place) return;
    event.preventDefault();
    location.hash = place;
  });
}
document.querySelectorAll(".paged:has(.pages)").forEach(pages);
draw();
