/** A number to turn: a slider for the hand, a field for the exact value. */
import { h } from "../app/dom";
import { field } from "../app/fields";

/** "log": equal ratios at equal ways, above zero; "fine": from zero, finer near it. */
export interface Range {
  min: number;
  max: number;
  shape: "log" | "fine";
}

const NOTCHES = 300;
/** The field takes more than the slider reaches. */
const BEYOND = 1e6;

export class Dial {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly number: HTMLInputElement;
  private readonly unit = h("span", { class: "row-unit" });
  private last = NaN;

  constructor(
    id: string,
    label: string,
    private range: Range,
    private readonly run: (value: number) => void,
  ) {
    this.number = field(id, range.min, { min: range.min, max: BEYOND }, (value) => this.turned(value));
    this.number.setAttribute("aria-label", label);
    this.slider = h("input", { id: `${id}-slider`, type: "range", min: 0, max: NOTCHES, step: 1, "aria-label": label });
    this.slider.addEventListener("input", () => {
      const value = this.valueAt(this.slider.valueAsNumber / NOTCHES);
      this.number.value = String(value);
      this.number.setAttribute("aria-invalid", "false");
      this.turned(value);
    });
    this.element = h("div", { class: "dial" }, h("span", { class: "row-label" }, label, " ", this.unit), this.slider, this.number);
  }

  /** What stands there now; a field that is being typed in is left alone. */
  set(value: number, unit: string, enabled: boolean, range: Range = this.range): void {
    const moved = range.max !== this.range.max;
    this.range = range;
    this.slider.disabled = this.number.disabled = !enabled;
    if (this.unit.textContent !== unit) this.unit.textContent = unit;
    if (value === this.last && !moved) return;
    if (value !== this.last) this.number.value = String(value);
    this.show(value);
  }

  private turned(value: number): void {
    this.show(value);
    this.run(value);
  }

  private show(value: number): void {
    this.last = value;
    this.slider.value = String(NOTCHES * this.placeOf(value));
    this.slider.setAttribute("aria-valuetext", String(value));
  }

  private valueAt(place: number): number {
    const { min, max, shape } = this.range;
    const value = shape === "log" ? min * (max / min) ** place : min + (max - min) * place ** 3;
    return Number(value.toPrecision(3));
  }

  private placeOf(value: number): number {
    const { min, max, shape } = this.range;
    const place = shape === "log" ? Math.log(value / min) / Math.log(max / min) : Math.cbrt((value - min) / (max - min));
    return Math.min(1, Math.max(0, place));
  }
}
