/** Small helpers to make elements. */

type Props = Record<string, unknown>;
type Child = Node | string | null | undefined | false;

/** An element: `on…` are listeners, `class`, `style` (text), attributes; true and false for those without a value. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on") && typeof value === "function") element.addEventListener(key.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(key, "");
    else element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Writes text only where it differs: writing it again would cost a layout. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A name that breaks after its dots and underscores, where it must. */
export function breaking(name: string): (Node | string)[] {
  return name.split(/(?<=[._])/).flatMap((part, k) => (k === 0 ? [part] : [h("wbr"), part]));
}

/** A number for people: four significant digits, a true minus. */
export function number(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined) return "–";
  if (Number.isNaN(x)) return "NaN";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return x.toExponential(2).replace("-", "−").replace("e+", "e").replace("e-", "e−");
  const decimals = size === 0 ? digits - 1 : Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return x.toFixed(Math.min(decimals, 5)).replace("-", "−");
}

const NOISE = 1e-11; // of the usual size: rounding, no number to read

/** A value to show: what is only rounding beside the usual size is zero. */
export const quiet = (x: number, usual: number): number => (Math.abs(x) <= NOISE * usual ? 0 : x);

export const degrees = (x: number): number => (x * 180) / Math.PI;
export const radians = (x: number): number => (x * Math.PI) / 180;

/** Runs a function after a pause without further calls. */
export function debounce(ms: number, run: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(run, ms);
  };
}
