/** The motion that the live numbers assume: fields for velocities and accelerations, at rest at first. */
import { h } from "../app/dom";
import { button, field } from "../app/fields";
import type { Lab } from "../app/lab";
import type { State } from "../app/store";
import { texts } from "../app/texts";
import type { RobotInfo } from "../contract";

const FIELDS_AT_MOST = 48;
const LARGEST = 1e6;

/** Names and units of what `set_motion` takes: a twist of the platform, else one per degree of freedom. */
function coordinates(robot: RobotInfo): { name: string; unit: string }[] {
  if (robot.has_platform) return texts.numbers.twist.map((name, k) => ({ name, unit: k < 3 ? "m" : "rad" }));
  const slides = (name: string) => robot.joints.some((joint) => joint.name === name && joint.type === "prismatic");
  return robot.freedoms.map((name) => ({ name, unit: slides(name) ? "m" : "rad" }));
}

export class Assumed {
  private readonly grid = h("div", { class: "assumed" });
  readonly element: HTMLElement;
  private count = 0;
  private fields: { v: HTMLInputElement; a: HTMLInputElement }[] = [];

  constructor(private readonly lab: Lab) {
    const rest = button("motion-rest", texts.numbers.rest, () => {
      const still = Array<number>(this.count).fill(0);
      this.lab.setMotion(still, still);
    });
    this.grid.addEventListener("focusout", () => this.show(this.lab.state().motion));
    this.element = h("div", {}, h("p", { class: "hint" }, texts.numbers.assumedHelp), this.grid, h("div", { class: "buttons" }, rest));
  }

  reset(robot: RobotInfo): void {
    const all = coordinates(robot);
    this.count = all.length;
    const head = ["", `${texts.numbers.velocity}, /s`, `${texts.numbers.acceleration}, /s²`].map((text) => h("span", { class: "muted" }, text));
    const label = (input: HTMLInputElement, text: string) => (input.setAttribute("aria-label", text), input);
    this.fields = all.slice(0, FIELDS_AT_MOST).map(({ name }, k) => ({
      v: label(field(`motion-v${k + 1}`, 0, { min: -LARGEST, max: LARGEST }, (x) => this.change("v", k, x)), `${texts.numbers.velocity} ${name}`),
      a: label(field(`motion-a${k + 1}`, 0, { min: -LARGEST, max: LARGEST }, (x) => this.change("a", k, x)), `${texts.numbers.acceleration} ${name}`),
    }));
    const rows = this.fields.flatMap(({ v, a }, k) => {
      const { name, unit } = all[k];
      return [h("span", {}, name, h("small", { class: "muted" }, ` ${unit}`)), v, a];
    });
    this.grid.replaceChildren(...head, ...rows);
  }

  private change(part: "v" | "a", k: number, value: number): void {
    const still = Array<number>(this.count).fill(0);
    const now = this.lab.state().motion ?? { v: still, a: still };
    const v = part === "v" ? now.v.with(k, value) : now.v;
    const a = part === "a" ? now.a.with(k, value) : now.a;
    this.lab.setMotion(v, a);
  }

  /** What is set, also by others; the field that is typed in is left alone. */
  show(motion: State["motion"]): void {
    this.fields.forEach((fields, k) => {
      for (const part of ["v", "a"] as const) {
        const value = String(motion?.[part][k] ?? 0);
        if (fields[part] !== document.activeElement && fields[part].value !== value) fields[part].value = value;
      }
    });
  }
}
