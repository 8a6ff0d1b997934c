/** A tour on the screen: an area beside the view with the step's words, its equation and its numbers; next, back, close. */
import sources from "virtual:sources";
import { h, number, quiet, write } from "../app/dom";
import { button } from "../app/fields";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import { math } from "./mathml";
import { Stage, type Step, type Tour, type Value } from "./stage";

const texts = all.learn;
const PHONE = "(max-width: 760px)";
const WORDS = 18; // characters: longer ones stand below their label

export class Card {
  private tour: Tour | null = null;
  private at = 0;
  private stage: Stage | null = null;
  private marked: Element | null = null;
  private readonly title = h("h2", { id: "tour-title", tabindex: -1 });
  private readonly count = h("span", { class: "muted" });
  private readonly text = h("p", {});
  private readonly equation = h("div", { class: "tour-equation" });
  private readonly values = h("dl", { class: "tour-values", "aria-live": "off" });
  private readonly source = h("p", { class: "tour-source muted" });
  private readonly list = h("ol", { class: "tour-list", "aria-label": texts.steps });
  private readonly back = button("tour-back", texts.back, () => void this.go(this.at - 1));
  private readonly next = button("tour-next", texts.next, () => void this.go(this.at + 1));
  private readonly card = h(
    "section",
    { id: "tour", hidden: true, "aria-labelledby": "tour-title", onkeydown: (event: KeyboardEvent) => this.key(event) },
    h("header", {}, this.count, h("button", { type: "button", id: "tour-close", class: "close", "aria-label": texts.close, onclick: () => this.close() }, "×")),
    h("div", { class: "tour-body", "aria-live": "polite" }, this.title, this.text, this.equation, this.values, this.source),
    h("div", { class: "buttons" }, this.back, this.next),
    this.list,
  );

  constructor(private readonly lab: Lab) {
    this.next.classList.add("primary");
    lab.view.canvas.parentElement!.before(this.card);
    lab.store.subscribe(["live", "robot", "sketch"], () => this.tour && this.showValues());
  }

  open(tour: Tour): void {
    this.tour = tour;
    this.card.hidden = false;
    document.body.classList.add("touring");
    this.card.dataset.tour = tour.id;
    const entry = (step: Step, at: number) => h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => void this.go(at) }, this.words().steps[step.key]!.title));
    this.list.replaceChildren(...tour.steps.map(entry));
    if (matchMedia(PHONE).matches) document.body.classList.remove("sheet-open");
    void this.go(0);
  }

  close(): void {
    this.leave();
    this.tour = null;
    this.card.hidden = true;
    document.body.classList.remove("touring");
    this.lab.view.canvas.focus({ preventScroll: true });
  }

  private words(): { title: string; paper: string; steps: Record<string, { title: string; text: string }> } {
    return texts.tours[this.tour!.id]!;
  }

  private async go(to: number): Promise<void> {
    const { tour, lab } = this;
    if (!tour) return;
    if (to >= tour.steps.length) return this.close();
    if (to < 0) return;
    this.leave();
    this.at = to;
    const step = tour.steps[to]!;
    const stage = (this.stage = new Stage(lab, () => this.showValues()));
    const said = this.words().steps[step.key]!;
    write(this.count, texts.step(this.words().paper, to + 1, tour.steps.length));
    write(this.title, said.title);
    write(this.text, said.text);
    this.equation.replaceChildren(...(step.equations ?? []).map(math));
    this.values.replaceChildren();
    const lines = (step.source ?? []).flatMap((name, k) => [k === 0 ? texts.source : ", ", this.sourceOf(name)]);
    this.source.replaceChildren(...lines);
    [...this.list.querySelectorAll("button")].forEach((entry, k) => entry.setAttribute("aria-current", k === to ? "step" : "false"));
    this.back.disabled = to === 0;
    write(this.next, to === tour.steps.length - 1 ? texts.end : texts.next);
    this.card.dataset.step = step.key;
    this.card.dataset.ready = "no";
    this.title.focus({ preventScroll: true });
    this.card.querySelector(".tour-body")!.scrollTop = 0;
    if (step.panel && !matchMedia(PHONE).matches) lab.open(step.panel);
    try {
      await step.enter?.(stage);
    } catch (error) {
      if (!stage.left) lab.fail(error);
    }
    if (stage.left) return;
    this.mark(step);
    this.showValues();
    this.card.dataset.ready = "yes";
  }

  /** The name of a place in the source: a press shows what stands there. */
  private sourceOf(name: string): HTMLElement {
    const { place, line, first, text } = sources[name]!;
    const show = () => {
      const { body } = this.lab.dialog(place, true);
      const rows = text.split("\n").map((row, k) => h("span", { class: first + k === line ? "source-line here" : "source-line", "data-line": first + k }, `${row}\n`));
      body.append(h("pre", { class: "source-text", tabindex: 0 }, ...rows));
    };
    return h("button", { type: "button", class: "source-link", title: texts.sourceHelp, onclick: show }, h("code", {}, place));
  }

  private leave(): void {
    this.stage?.leave();
    this.stage = null;
    this.marked?.classList.remove("tour-mark");
    this.marked = null;
  }

  private mark(step: Step): void {
    this.marked = step.mark ? document.querySelector(step.mark) : null;
    if (this.marked instanceof HTMLDetailsElement) this.marked.open = true;
    this.marked?.classList.add("tour-mark");
    this.marked?.scrollIntoView({ block: "nearest" });
  }

  /** Every number that the step claims, as it is now. */
  private showValues(): void {
    const step = this.tour?.steps[this.at];
    if (!step || !this.stage) return;
    let live: Value[] = [];
    try {
      live = step.values?.(this.lab) ?? [];
    } catch {
      // Another robot may be on the bench: the step's numbers are not its.
    }
    const wanted = [...live, ...this.stage.found];
    while (this.values.children.length > 2 * wanted.length) this.values.lastElementChild!.remove();
    wanted.forEach(({ key, value, unit }, k) => {
      if (this.values.children.length <= 2 * k) this.values.append(h("dt", {}), h("dd", {}));
      const [term, shown] = [this.values.children[2 * k]!, this.values.children[2 * k + 1] as HTMLElement];
      write(term, texts.values[key] ?? key);
      const figure = typeof value === "number" ? quiet(value, unit === "°" ? 180 : unit === undefined ? 1 : 0) : value;
      write(shown, typeof figure === "string" ? figure : `${Number.isInteger(figure) ? figure : number(figure, 5)}${unit && value !== null ? ` ${unit}` : ""}`);
      shown.classList.toggle("words", typeof value === "string" && value.length > WORDS);
      shown.dataset.key = key;
      shown.dataset.value = String(value);
    });
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") this.close();
    else if (event.key === "ArrowRight") void this.go(Math.min(this.at + 1, this.tour!.steps.length - 1));
    else if (event.key === "ArrowLeft") void this.go(this.at - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
