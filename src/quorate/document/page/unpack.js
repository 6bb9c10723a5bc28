// The data inside the page: unpacked when asked for, as the JSON that the command gives, or as a table for spreadsheets.
const link = document.getElementById("data");

function unpack(found) {
  const known = [];
  const column = (place) => (known[place] ??= read(found.columns[place]));

  function whole({ low, planes, of, steps }) {
    const out = new Array(planes.length ? planes[0].length : of).fill(0);
    for (const plane of planes) {
      for (let k = 0; k < out.length; k += 1) {
        const sign = plane.charCodeAt(k);
        out[k] = out[k] * 90 + sign - (sign > 92 ? 36 : 35);
      }
    }
    let before = 0;
    return out.map((value) => (before = value + low + (steps ? before : 0)));
  }

  function cut(values, lengths) {
    let at = 0;
    return lengths.map((length) => values.slice(at, (at += length)));
  }

  function read(c) {
    if ("planes" in c) return whole(c);
    if ("power" in c) return column(c.numbers).map((n) => Number(`${n}e${c.power}`));
    if ("numbers" in c) {
      const powers = column(c.powers); // 0 times ten is what is undefined
      return column(c.numbers).map((n, k) => (n === 0 && powers[k] === 1 ? null : Number(`${n}e${powers[k]}`)));
    }
    if ("names" in c) {
      const among = "among" in c ? column(c.among).map((k) => names[k]) : names;
      return column(c.names).map((k) => among[k]);
    }
    if ("lists" in c) return cut(column(c.of), column(c.lists));
    if ("maps" in c) {
      const values = cut(column(c.of), column(c.maps));
      return cut(column(c.keys), column(c.maps)).map((keys, k) => Object.fromEntries(keys.map((n, i) => [n, values[k][i]])));
    }
    if ("records" in c) return rows(c.records, c.of);
    if ("shapes" in c) {
      const each = c.of.map((place) => column(place).values());
      return column(c.shapes).map((shape) => each[shape].next().value);
    }
    if ("some" in c) {
      const values = column(c.of);
      let at = 0;
      return column(c.some).map((there) => (there ? values[at++] : null));
    }
    return c.plain;
  }

  function rows(places, length) {
    const columns = Object.entries(places).map(([name, place]) => [name, column(place)]);
    return Array.from({ length }, (_, k) => Object.fromEntries(columns.map(([name, values]) => [name, values[k]])));
  }

  function results(f) {
    const values = f.called in f.columns ? column(f.columns[f.called]) : [];
    const keys = f.keys.map((name) => [name, name in f.columns ? column(f.columns[name]) : []]);
    const details = rows(f.details, values.length);
    return values.map((value, k) => ({
      ...Object.fromEntries(keys.map(([name, each]) => [name, each[k]])),
      method: f.method,
      [f.called]: value,
      details: details[k],
    }));
  }

  let last = []; // of a name only what differs from the one before is kept
  const names = column(found.packed).map((same, k) => {
    const rest = found.names[k];
    last = typeof rest === "string" ? [...last.slice(0, same), ...rest] : [];
    return typeof rest === "string" ? last.join("") : rest;
  });
  const [out] = column(found.head);
  for (const [question, each] of Object.entries(found.results)) {
    if (!out.sections[question].answer) continue;
    out.sections[question].answer.results = each.flatMap(results);
    Object.assign(out.sections[question].answer, rows(found.more[question], 1)[0]);
  }
  out.input = {};
  for (const [role, places] of Object.entries(found.input)) {
    out.input[role] = Object.fromEntries(Object.entries(places).map(([name, place]) => [name, column(place)]));
  }
  return { ...out, left_out: found.left_out };
}

async function whole_data() {
  const found = JSON.parse(await unzipped(link.href.split(",")[1]));
  return "packed" in found ? unpack(found) : found;
}

function table(columns) {
  const cell = (value) => {
    let text = value === null || value === undefined ? "" : String(value);
    if (/^'*[=+@\t\r-]/.test(text) && Number.isNaN(Number(text))) text = `'${text}`; // a spreadsheet takes it for no formula
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const values = Object.values(columns);
  const lines = values[0].map((_, k) => values.map((column) => cell(column[k])).join(","));
  return `${[Object.keys(columns).map(cell).join(","), ...lines].join("\n")}\n`;
}

function save(text, name, type) {
  const file = document.createElement("a");
  file.href = URL.createObjectURL(new Blob([text], { type }));
  file.download = name;
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 60000);
}

if (link && "DecompressionStream" in window) { // elsewhere the link gives the compressed file
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const said = link.textContent;
    link.textContent = "Unpacking the data, which takes some seconds where they are large";
    await new Promise((done) => setTimeout(done, 50)); // so that it is seen
    save(`${JSON.stringify(await whole_data(), null, 1)}\n`, "report.json", "application/json");
    link.textContent = said;
  });
  for (const button of document.querySelectorAll("button[data-rows]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const name = button.dataset.rows, rows = (await whole_data())[button.dataset.part][name];
      const heads = rows.length ? Object.keys(rows[0]) : [];
      if (rows.length) save(table(Object.fromEntries(heads.map((head) => [head, rows.map((row) => row[head])]))), `${name}.csv`, "text/csv");
      else button.replaceWith("There is nothing in it.");
    });
  }
  for (const button of document.querySelectorAll("button[data-table]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const role = button.dataset.table, columns = (await whole_data()).input[role];
      if (columns) save(table(columns), `${role}.csv`, "text/csv");
      else button.replaceWith(`The ${role} are too large for this page.`);
    });
  }
}
