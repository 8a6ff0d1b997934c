/** What the parts of the motion panel are made of. */
import { h, icon } from "../app/dom";
import { button } from "../app/fields";

/** A part of the panel: an element, and what brings it up to date. */
export interface Part {
  element: HTMLElement;
  update(): void;
}

/** A part that folds away. */
export function section(id: string, title: string, open: boolean, ...children: (Node | string)[]): HTMLDetailsElement {
  return h("details", { id: `motion-${id}`, class: "motion-section", open }, h("summary", {}, title), ...children);
}

/** A button with a sign instead of words. */
export function tool(id: string, path: string, title: string, run: () => void): HTMLButtonElement {
  const made = button(id, "", run, title);
  made.classList.add("motion-tool");
  made.setAttribute("aria-label", title);
  made.append(icon(path));
  return made;
}

/** A tick with words. */
export function tick(id: string, text: string, on: boolean, run: (on: boolean) => void): { element: HTMLElement; input: HTMLInputElement } {
  const input = h("input", { id, type: "checkbox", checked: on });
  input.addEventListener("change", () => run(input.checked));
  return { element: h("label", { class: "check" }, input, text), input };
}

/** Lets the user choose a text file. */
export function openFile(accept: string, take: (name: string, text: string) => void, fail: (error: unknown) => void): void {
  const input = h("input", { type: "file", accept });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) file.text().then((text) => take(file.name, text)).catch(fail);
  });
  input.click();
}
