// Draws the charts in the colours of the page, and again when they change.
const root = document.documentElement;
const button = document.getElementById("theme");
const holder = document.getElementById("charts");
const specs = holder ? JSON.parse(holder.textContent) : {};
const system = matchMedia("(prefers-color-scheme: dark)");

function dark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
}

function config() {
  const style = getComputedStyle(root);
  const ink = style.getPropertyValue("--ink").trim();
  const line = style.getPropertyValue("--line").trim();
  const back = style.getPropertyValue("--back").trim();
  const main = dark() ? "#6cc3dd" : "#2a7f9e";
  return {
    background: back,
    font: "system-ui, sans-serif",
    view: { stroke: null },
    axis: { labelColor: ink, titleColor: ink, gridColor: line, domainColor: line, tickColor: line, labelFontSize: 12, titleFontSize: 12 },
    legend: { labelColor: ink, titleColor: ink, labelFontSize: 12, titleFontSize: 12 },
    text: { color: ink, fill: ink },
    bar: { color: main }, point: { color: main }, rule: { color: ink }, line: { color: main },
  };
}

async function draw() {
  for (const place of document.querySelectorAll("[data-chart]")) {
    const kept = place.querySelector("select")?.value;
    const options = { actions: false, renderer: "svg", logLevel: 1, config: config(), tooltip: { theme: dark() ? "dark" : "light" } };
    const { view } = await window.vegaEmbed(place, structuredClone(specs[place.dataset.chart]), options);
    if (kept !== undefined) await view.signal("chosen", kept).runAsync();
    place.dataset.drawn = "yes";
  }
  root.dataset.ready = "yes";
}

function label() {
  button.textContent = dark() ? "Light" : "Dark";
  button.setAttribute("aria-pressed", String(dark()));
}

let last = Promise.resolve();
function again() {
  label();
  delete root.dataset.ready;
  last = last.then(draw);
}

button.addEventListener("click", () => {
  root.dataset.theme = dark() ? "light" : "dark";
  again();
});
system.addEventListener("change", again);
again();
