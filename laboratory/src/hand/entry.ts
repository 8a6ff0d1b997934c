/** A number field for where something is: it takes what is typed at Enter or when it is left, and arrow keys step it. */
import { h } from "../app/dom";
import { figure } from "./words";

export interface Entry {
  readonly element: HTMLInputElement;
  /** Shows a value, unless somebody is typing. */
  show(value: number): void;
}

export function entry(id: string, label: string, decimals: number, step: () => number, run: (value: number) => void): Entry {
  const element = h("input", { id, type: "number", step: "any", inputmode: "decimal", "aria-label": label });
  let written = "";
  const show = (value: number) => {
    const text = figure(value, decimals);
    if (text === written && element.value === text) return;
    if (document.activeElement === element && element.value !== written) return; // half typed
    element.value = written = text;
  };
  const commit = () => {
    const value = element.valueAsNumber;
    const good = Number.isFinite(value);
    element.setAttribute("aria-invalid", String(!good));
    if (!good || element.value === written) return;
    written = element.value; // so that what came of it is shown
    run(value);
  };
  element.addEventListener("change", commit);
  element.addEventListener("keydown", (event) => {
    const sign = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (event.key === "Enter") commit();
    if (!sign) return;
    event.preventDefault();
    const value = element.valueAsNumber + sign * step() * (event.shiftKey ? 0.1 : 1);
    if (Number.isFinite(value)) {
      written = "";
      element.value = figure(value, decimals + 1);
      commit();
    }
  });
  element.addEventListener("focus", () => element.select());
  return { element, show };
}
