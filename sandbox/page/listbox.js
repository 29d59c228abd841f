// A menu that opens at a button: one or several options, with a filter when there are many, for mouse and keys.

import { h } from "./dom.js";

const FILTER_FROM = 9;
let closeOpen = () => {};

/**
 * `options`: [{value, label, description, emoji}]; `picked`: the values chosen before.
 * `done(values)` is called when the choice is made; closing without one leaves everything as it was.
 */
export function listbox(anchor, { label, options, picked = [], least = 1, most = 1, done, draft = () => {} }) {
  closeOpen();
  const several = most > 1;
  let chosen = picked.filter((v) => options.some((o) => o.value === v));
  let active = Math.max(0, options.findIndex((o) => o.value === chosen[0]));
  let shown = options;

  const filter =
    options.length >= FILTER_FROM &&
    h("input", { type: "search", class: "filter", placeholder: "Filter", "aria-label": `Filter: ${label}`, oninput: narrow, autocomplete: "off" });
  const list = h("ul", { role: "listbox", "aria-label": label, "aria-multiselectable": several, tabindex: -1 });
  const count = h("span", { class: "count" });
  const confirm = h("button", { class: "btn primary", type: "button", onclick: () => finish() }, "Choose");
  const foot = (several || least === 0) && h("div", { class: "foot" }, count, confirm);
  const box = h("div", { class: "popup", onkeydown: keys }, filter, list, foot);

  function narrow() {
    const typed = filter.value.trim().toLowerCase();
    shown = options.filter((o) => `${o.label} ${o.description ?? ""}`.toLowerCase().includes(typed));
    active = 0;
    draw();
  }

  function draw() {
    list.replaceChildren(
      ...shown.map((o, n) =>
        h(
          "li",
          {
            role: "option",
            id: `option-${n}`,
            "aria-selected": chosen.includes(o.value) ? "true" : "false",
            class: n === active ? "active" : "",
            data: { value: o.value },
            onclick: () => {
              active = n;
              toggle(o);
            },
            onmousemove: () => n !== active && highlight(n),
          },
          (several || least === 0) && h("span", { class: "tick", "aria-hidden": "true" }, chosen.includes(o.value) ? "☑" : "☐"),
          h("span", { class: "words" }, h("b", {}, [o.emoji, o.label].filter(Boolean).join(" ")), o.description && h("small", {}, o.description)),
        ),
      ),
    );
    if (!shown.length) list.append(h("li", { class: "none" }, "Nothing fits."));
    list.setAttribute("aria-activedescendant", `option-${active}`);
    const enough = chosen.length >= least && chosen.length <= most;
    const range = least === most ? `${least}` : least === 0 ? `up to ${most}` : `${least} to ${most}`;
    count.textContent = `${chosen.length} chosen, ${range} wanted`;
    confirm.disabled = !enough;
  }

  function highlight(n) {
    list.children[active]?.classList.remove("active");
    active = n;
    list.children[active]?.classList.add("active");
    list.setAttribute("aria-activedescendant", `option-${active}`);
  }

  function move(step) {
    if (!shown.length) return;
    highlight((active + step + shown.length) % shown.length);
    list.children[active].scrollIntoView({ block: "nearest" });
  }

  function toggle(option) {
    if (!option) return;
    if (chosen.includes(option.value)) chosen = chosen.filter((v) => v !== option.value);
    else if (most === 1) chosen = [option.value];
    else if (chosen.length < most) chosen = [...chosen, option.value];
    draft(chosen);
    if (!several && least === 1) finish([option.value]);
    else draw();
  }

  function finish(values = options.map((o) => o.value).filter((v) => chosen.includes(v))) {
    if (values.length < least || values.length > most) return;
    close();
    done(values);
  }

  function keys(event) {
    const { key } = event;
    if (key === "Escape") close();
    else if (key === "ArrowDown") move(1);
    else if (key === "ArrowUp") move(-1);
    else if (key === "Home") highlight(0);
    else if (key === "End") highlight(shown.length - 1);
    else if (key === "Enter" && event.target !== confirm) {
      if (several && chosen.length && (event.ctrlKey || event.metaKey)) finish();
      else toggle(shown[active]);
    } else if (key === " " && event.target === list) toggle(shown[active]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const outside = (event) => !box.contains(event.target) && !anchor.contains(event.target) && close(false);

  function close(focus = true) {
    if (!box.isConnected && !document.body.contains(box)) return;
    document.removeEventListener("pointerdown", outside, true);
    window.removeEventListener("resize", place);
    box.remove();
    anchor.setAttribute("aria-expanded", "false");
    closeOpen = () => {};
    if (focus && anchor.isConnected) anchor.focus({ preventScroll: true });
  }

  function place() {
    const at = anchor.getBoundingClientRect();
    const below = innerHeight - at.bottom - 12;
    const above = at.top - 12;
    const up = below < Math.min(box.scrollHeight, 260) && above > below;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - Math.max(at.width, 280) - 8))}px`;
    box.style.width = `${Math.min(Math.max(at.width, 280), innerWidth - 16)}px`;
    box.style.maxHeight = `${Math.max(160, Math.min(420, up ? above : below))}px`;
    box.style.top = up ? "auto" : `${at.bottom + 4}px`;
    box.style.bottom = up ? `${innerHeight - at.top + 4}px` : "auto";
  }

  (anchor.closest("dialog") ?? document.body).append(box);
  anchor.setAttribute("aria-expanded", "true");
  draw();
  place();
  list.children[active]?.scrollIntoView({ block: "nearest" });
  const touch = matchMedia("(pointer: coarse)").matches; // where a filter's focus would open the keyboard
  (touch ? list : filter || list).focus({ preventScroll: true });
  document.addEventListener("pointerdown", outside, true);
  window.addEventListener("resize", place);
  closeOpen = () => close(false);
}

export const closeListbox = () => closeOpen();
