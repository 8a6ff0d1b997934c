/** Buttons and fields of forms, as all panels make them. */
import { h } from "./dom";

/** A button; `id` also names it for tests. */
export function button(id: string, text: string, run: () => void, title = ""): HTMLButtonElement {
  return h("button", { type: "button", id, title: title || null, onclick: run }, text);
}

/** One of several: pairs of value and text. */
export function choice(id: string, options: readonly (readonly [string, string])[], chosen: string, run: (value: string) => void): HTMLSelectElement {
  const made = h("select", { id });
  for (const [value, text] of options) made.append(h("option", { value, selected: value === chosen }, text));
  made.addEventListener("change", () => run(made.value));
  return made;
}

/** A labelled row of a form. */
export function row(label: string, field: HTMLElement, unit = ""): HTMLLabelElement {
  return h("label", { class: "row" }, h("span", { class: "row-label" }, label), field, unit ? h("span", { class: "row-unit" }, unit) : null);
}

/** A number field that calls back with finite numbers within its range alone. */
export function field(id: string, value: number, range: { min: number; max: number; step?: number | "any" }, run: (value: number) => void): HTMLInputElement {
  const made = h("input", { id, type: "number", value, min: range.min, max: range.max, step: range.step ?? "any", inputmode: "decimal" });
  made.addEventListener("input", () => {
    const given = made.valueAsNumber;
    const good = Number.isFinite(given) && given >= range.min && given <= range.max;
    made.setAttribute("aria-invalid", String(!good));
    if (good) run(given);
  });
  return made;
}
