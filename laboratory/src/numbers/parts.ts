/** Small parts that the panels of numbers share. */
import { breaking, h, number, quiet, write } from "../app/dom";
import type { Lab } from "../app/lab";
import type { Shown } from "../app/store";
import { css } from "../view/palette";

/** Runs at most every `ms`, at once where it rested, and once more after the last call. */
export function paced(ms: number, run: () => void): () => void {
  let last = -Infinity;
  let timer = 0;
  const go = () => {
    timer = 0;
    last = performance.now();
    run();
  };
  return () => {
    const wait = last + ms - performance.now();
    if (wait <= 0 && timer === 0) go();
    else if (timer === 0) timer = window.setTimeout(go, wait);
  };
}

/** Numbers of one kind as texts: what is only rounding beside the others is zero. */
export function numbers(values: readonly number[], digits = 4, largest = Math.max(...values.map(Math.abs))): string[] {
  return values.map((x) => number(quiet(x, largest), digits));
}

/** A box to tick for something drawn in the scene; `colour`: in which it is drawn. */
export function toggle(lab: Lab, id: string, text: string, key: keyof Shown, colour?: "velocity" | "force"): { element: HTMLElement; show(shown: Shown): void } {
  const box = h("input", { id, type: "checkbox", onchange: () => lab.store.set({ shown: { ...lab.state().shown, [key]: box.checked } }) });
  const swatch = colour === undefined ? null : h("i", { class: "swatch" });
  const show = (shown: Shown) => {
    box.checked = shown[key];
    if (swatch !== null) swatch.style.background = css(lab.view.palette[colour!]);
  };
  return { element: h("label", { class: "check" }, box, swatch, text), show };
}

/** A part of a panel that can be closed; closed ones are not updated. */
export function section(id: string, title: string, open: boolean, ...children: (Node | string)[]): HTMLDetailsElement {
  return h("details", { id, class: "section", open }, h("summary", {}, title), ...children);
}

/** A table whose rows are kept: texts are written where they differ. */
export class Table {
  private readonly body = h("tbody");
  readonly element: HTMLTableElement;
  constructor(id: string, caption = "", heads: string[] = []) {
    const row = h("tr", {}, ...heads.map((head, k) => h("th", { scope: "col", class: k > 0 ? "number" : null }, head)));
    this.element = h("table", { id }, caption !== "" && h("caption", {}, caption), heads.length > 0 && h("thead", {}, row), this.body);
  }
  show(rows: string[][]): void {
    const { body } = this;
    while (body.rows.length > rows.length) body.deleteRow(-1);
    rows.forEach((cells, k) => {
      let row = body.rows[k];
      if (!row || row.cells.length !== cells.length) {
        const made = h("tr", {}, ...cells.map((_, i) => (i === 0 ? h("th", { scope: "row" }) : h("td", { class: "number" }))));
        if (row) row.replaceWith(made);
        else body.append(made);
        row = made;
      }
      cells.forEach((text, i) => {
        if (i > 0) write(row.cells[i], text);
        else if (row.cells[0].textContent !== text) row.cells[0].replaceChildren(...breaking(text));
      });
    });
  }
}
