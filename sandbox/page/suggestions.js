// The list above the box: what can be taken with the arrow keys, Tab, Enter or a press.

import { h } from "./dom.js";

/** A list with `show(items, {title, note, quiet}, input)`, `hide()`, `take()` and `key(event)`. */
export function suggestions(id) {
  const title = h("p", { class: "title" });
  const note = h("p", { class: "note" });
  const list = h("ul", { role: "listbox", id, "aria-label": "Suggestions" });
  const element = h("div", { class: "suggestions", hidden: true }, title, note, list);
  let items = [];
  let active = -1;
  let owner = null;

  function mark(n) {
    list.children[active]?.classList.remove("active");
    list.children[active]?.setAttribute("aria-selected", "false");
    active = n;
    const row = list.children[n];
    row?.classList.add("active");
    row?.setAttribute("aria-selected", "true");
    row?.scrollIntoView({ block: "nearest" });
    if (row) owner?.setAttribute("aria-activedescendant", row.id);
    else owner?.removeAttribute("aria-activedescendant");
  }

  function row(item, n) {
    const tags = (item.tags ?? []).map((t) => h("span", { class: `tag${t.must ? " must" : ""}` }, t.name));
    return h(
      "li",
      {
        role: "option",
        id: `${id}-${n}`,
        "aria-selected": "false",
        class: item.extra ? "extra" : "",
        onpointerdown: (event) => event.preventDefault(), // the box keeps the focus
        onclick: () => item.take(),
      },
      h("b", {}, item.name),
      tags.length > 0 && h("span", { class: "tags" }, tags),
      item.hint && h("small", {}, item.hint),
    );
  }

  /** `quiet`: nothing is marked at first, so that Enter is free for sending. */
  function show(what, { title: head = "", note: foot = "", quiet = false }, input) {
    items = what;
    owner = input;
    title.textContent = head;
    note.textContent = foot;
    list.replaceChildren(...items.map(row));
    element.hidden = !items.length && !head && !foot;
    owner?.setAttribute("aria-controls", id);
    owner?.setAttribute("aria-expanded", String(!element.hidden));
    active = -1;
    mark(quiet || !items.length || items[0].extra ? -1 : 0);
    list.scrollTop = 0;
  }

  function hide() {
    element.hidden = true;
    items = [];
    active = -1;
    owner?.setAttribute("aria-expanded", "false");
    owner?.removeAttribute("aria-activedescendant");
  }

  function take() {
    if (element.hidden || active < 0) return false;
    items[active].take();
    return true;
  }

  /** Handle a key; whether it was ours. */
  function key(event) {
    if (element.hidden || !items.length || event.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) mark(active < 0 ? (step > 0 ? 0 : items.length - 1) : (active + step + items.length) % items.length);
    else if (event.key === "Tab" && !event.shiftKey) {
      if (active < 0 && items[0].extra === undefined) return false;
      items[Math.max(active, 0)].take();
    } else if (event.key === "Enter" && !event.shiftKey && active >= 0) items[active].take();
    else if (event.key === "Escape") hide();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return { element, show, hide, take, key };
}
