// Elements from values: text is always text, never markup, so nothing a study holds can become script.

/** An element: h("button", { class: "main", onclick: go, disabled: busy }, "Go on"). False, null and undefined attributes are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "htmlFor") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export const find = (selector, from = document) => from.querySelector(selector);

/** What a container shows, exchanged for something else. */
export function fill(container, ...children) {
  container.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return container;
}

/** Markup rendered by the server from Markdown with HTML switched off. */
export function prose(markup) {
  const box = h("div", { class: "prose", dir: "auto" });
  box.innerHTML = markup ?? "";
  return box;
}

/** Children of a container in this order, touching only those that are out of place. */
export function arrange(container, wanted) {
  const keep = new Set(wanted);
  for (const child of [...container.children]) if (!keep.has(child)) child.remove();
  let cursor = container.firstElementChild;
  for (const element of wanted) {
    if (element === cursor) cursor = cursor.nextElementSibling;
    else if (cursor && cursor.nextElementSibling === element)
      cursor = element.nextElementSibling; // the one at the cursor moved down
    else container.insertBefore(element, cursor);
  }
}

/** Text or attribute set only if it differs: 200 cards are compared, one is drawn. */
export function set(element, name, value) {
  if (element[name] !== value) element[name] = value;
}

let turn = 0;
/** Says something to a screen reader; two regions in turn, so that the same words twice are read twice. */
export function announce(text) {
  const regions = document.querySelectorAll(".announce");
  if (!regions.length) return;
  turn = (turn + 1) % regions.length;
  regions.forEach((region, n) => (region.textContent = n === turn ? text : ""));
}

export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** A modal dialog with buttons; resolves to the value of the one pressed, or null. */
export function ask(title, content, buttons) {
  return new Promise((resolve) => {
    const close = (value) => {
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    const dialog = h(
      "dialog",
      { "aria-labelledby": "dialog-title", class: "dialog" },
      h("h2", { id: "dialog-title" }, title),
      content,
      h(
        "p",
        { class: "buttons" },
        buttons.map(({ value, text, main }) =>
          h("button", { type: "button", class: main ? "main" : "", onclick: () => close(value) }, text),
        ),
      ),
    );
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
