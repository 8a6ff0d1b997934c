/** Scales from values to colours, with their legends. */
import { h, number } from "../app/dom";

export type Rgb = [red: number, green: number, blue: number]; // 0 … 255

export interface Scale {
  /** Where a value lies on the legend, 0 … 1. */
  place(value: number): number;
  colour(place: number): Rgb;
  ticks: { place: number; text: string }[];
}

const FLOOR = 1e-3; // of distances: what is nearer to a singularity looks the same
const DECADES = 3; // of signed values

/** From there (dark red) to far (pale yellow); lightness grows all the way, so that it reads without colours. */
const HEAT: Rgb[] = [
  [74, 10, 46],
  [140, 24, 50],
  [201, 62, 40],
  [233, 124, 40],
  [245, 188, 84],
  [248, 240, 190],
];
const NEGATIVE: Rgb = [32, 110, 190];
const POSITIVE: Rgb = [200, 88, 16];

const between = (from: Rgb, to: Rgb, t: number): Rgb => [0, 1, 2].map((k) => Math.round(from[k] + (to[k] - from[k]) * t)) as Rgb;
const clamp = (x: number, lower: number, upper: number) => Math.min(upper, Math.max(lower, x));

/** The next of 1, 2, 5, 10, … : a scale that does not change with every value. */
export function round(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const power = 10 ** Math.floor(Math.log10(x) + 1e-12);
  return ([1, 2, 5, 10].find((k) => k * power >= x * (1 - 1e-12)) ?? 10) * power;
}

/** Of distances to singularities: logarithmic, 0.001 and less … 1. */
export const distances: Scale = {
  place: (value) => (value > FLOOR ? clamp(1 - Math.log10(value) / Math.log10(FLOOR), 0, 1) : 0),
  colour: (place) => {
    const x = clamp(place, 0, 1) * (HEAT.length - 1);
    const k = Math.min(Math.floor(x), HEAT.length - 2);
    return between(HEAT[k], HEAT[k + 1], x - k);
  },
  ticks: [0.001, 0.01, 0.1, 1].map((value, k) => ({ place: k / 3, text: k === 0 ? `≤ ${value}` : String(value) })),
};

/** Of signed values up to a largest one: logarithmic on both sides of zero. */
export function signed(largest: number, zero: Rgb): Scale {
  const fraction = (value: number) => (value === 0 ? 0 : Math.sign(value) * clamp(1 + Math.log10(Math.abs(value) / largest) / DECADES, 0, 1));
  const marks = [-largest, -largest / 10, -largest / 100, 0, largest / 100, largest / 10, largest];
  return {
    place: (value) => (1 + fraction(value)) / 2,
    colour: (place) => {
      const x = 2 * clamp(place, 0, 1) - 1;
      return between(zero, x < 0 ? NEGATIVE : POSITIVE, Math.abs(x));
    },
    ticks: marks.map((value) => ({ place: (1 + fraction(value)) / 2, text: value === 0 ? "0" : number(value, 1) })),
  };
}

export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;

/** A colour of the page's style as numbers. */
export function styled(name: string): Rgb {
  const given = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const hex = /^#(..)(..)(..)$/.exec(given);
  return hex ? (hex.slice(1).map((part) => parseInt(part, 16)) as Rgb) : [128, 128, 128];
}

const LEGEND = 256; // pixels of a legend

/** A strip of all colours with marks below it. */
export class Legend {
  readonly canvas = h("canvas", { class: "legend-strip", width: LEGEND, height: 1, "aria-hidden": "true" });
  private readonly marks = h("div", { class: "legend-marks" });
  readonly element = h("div", { class: "legend" }, this.canvas, this.marks);
  private key = "";

  show(scale: Scale): void {
    const key = scale.ticks.map(({ text }) => text).join() + css(scale.colour(0.5));
    if (key === this.key) return;
    this.key = key;
    const context = this.canvas.getContext("2d")!;
    for (let x = 0; x < LEGEND; x++) {
      context.fillStyle = css(scale.colour(x / (LEGEND - 1)));
      context.fillRect(x, 0, 1, 1);
    }
    this.marks.replaceChildren(...scale.ticks.map(({ place, text }) => h("span", { style: `left: ${(100 * place).toFixed(1)}%` }, text)));
  }
}
