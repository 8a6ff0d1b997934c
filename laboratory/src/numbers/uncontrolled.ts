/** Motions that the drives do not, or hardly, control: listed, and shown as a ghost that swings along one of them. */
import { h, number, quiet, write } from "../app/dom";
import type { Lab } from "../app/lab";
import { texts } from "../app/texts";
import type { Live, Point, Sketch, Uncontrolled } from "../contract";

const GHOST = "uncontrolled";
const PERIOD = 2.4; // s of a swing
const STEPS = 96; // pictures of a swing: those of one state are computed once

export class UncontrolledMotions {
  private readonly list = h("ul", { id: "uncontrolled", class: "uncontrolled" });
  private readonly none = h("p", { class: "hint" }, texts.numbers.allControlled);
  readonly element = h("div", {}, h("p", { class: "hint" }, texts.numbers.uncontrolledHelp), this.list, this.none);
  private motions: Uncontrolled[] = [];
  private shown: number | null = null;
  private begun = 0;
  private swings: { of: Live | null; sketches: Map<number, Sketch> } = { of: null, sketches: new Map() };
  private readonly task: { start(): void; stop(): void };
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(private readonly lab: Lab) {
    this.task = lab.frames.add((now) => this.swing(now));
    lab.store.subscribe(["revision", "owner"], () => lab.store.set({ swing: null }));
    lab.store.subscribe(["swing"], ({ swing }) => (swing === null ? this.stop() : this.show(swing)));
  }

  /** Asks the bench again, at the present state. */
  update(): void {
    this.motions = JSON.parse(this.lab.bench().uncontrolled()) as Uncontrolled[];
    if (this.shown !== null && this.shown >= this.motions.length) this.lab.store.set({ swing: null });
    this.none.hidden = this.motions.length > 0;
    while (this.list.children.length > this.motions.length) this.list.lastElementChild!.remove();
    this.motions.forEach((motion, k) => {
      const row = this.list.children[k] ?? this.list.appendChild(this.row(k));
      write(row.querySelector(".motion-words")!, motion.words);
      write(row.querySelector(".motion-value")!, texts.numbers.controlled(number(quiet(motion.controlled, 1), 3)));
    });
    if (this.shown !== null) this.arrows();
  }

  private row(k: number): HTMLElement {
    const show = h("button", { type: "button", id: `uncontrolled-${k + 1}`, "aria-pressed": "false", onclick: () => this.lab.store.set({ swing: this.shown === k ? null : k }) }, texts.numbers.show);
    return h("li", {}, h("span", { class: "motion-words" }), h("span", { class: "motion-value muted" }), show);
  }

  private show(k: number): void {
    this.stop();
    this.update();
    if (k >= this.motions.length) return;
    this.shown = k;
    this.begun = 0;
    this.swings = { of: null, sketches: new Map() };
    this.lab.store.set({ shown: { ...this.lab.state().shown, ghosts: true } });
    this.press();
    this.arrows();
    this.task.start();
  }

  private stop(): void {
    if (this.shown === null) return;
    this.shown = null;
    this.task.stop();
    for (const id of [GHOST, `${GHOST}-back`]) this.lab.view.ghost(id, null);
    for (const part of ["linear", "angular"]) this.lab.view.arrow(`${GHOST}-${part}`, null);
    this.press();
  }

  private press(): void {
    [...this.list.querySelectorAll("button")].forEach((button, k) => {
      button.setAttribute("aria-pressed", String(k === this.shown));
      write(button, k === this.shown ? texts.numbers.hide : texts.numbers.show);
    });
  }

  /** One frame; who wants no animation sees both ends of the swing. */
  private swing(now: number): boolean {
    if (this.shown === null) return false;
    if (this.begun === 0) this.begun = now;
    const { view } = this.lab;
    const { live } = this.lab.state();
    if (live !== this.swings.of) this.swings = { of: live, sketches: new Map() };
    const { sketches } = this.swings;
    const at = (amount: number): Sketch => {
      const known = sketches.get(amount) ?? (JSON.parse(this.lab.bench().nudged(this.shown!, amount)) as Sketch);
      sketches.set(amount, known);
      return known;
    };
    if (this.calm.matches) {
      view.ghost(GHOST, at(1));
      view.ghost(`${GHOST}-back`, at(-1));
      return false;
    }
    const step = Math.round(((now - this.begun) / PERIOD) * STEPS) % STEPS;
    view.ghost(GHOST, at(Math.sin((2 * Math.PI * step) / STEPS)));
    return true;
  }

  /** The twist at the output: velocity and angular velocity, each as long as a part of the robot. */
  private arrows(): void {
    const { live, robot } = this.lab.state();
    const twist = this.shown === null ? null : this.motions[this.shown].twist;
    if (!twist || !live || !robot) return;
    const at = live.pose.slice(0, 3) as Point;
    const draw = (id: string, vector: number[], unit: number, colour: string) => {
      const size = Math.hypot(...vector);
      this.lab.view.arrow(`${GHOST}-${id}`, size * unit < 1e-3 * whole ? null : at, vector.map((x) => (x / size) * length * ((size * unit) / whole)) as Point, colour);
    };
    const [linear, angular] = [twist.slice(0, 3), twist.slice(3, 6)];
    const length = 0.35 * robot.size;
    const whole = Math.max(Math.hypot(...linear), Math.hypot(...angular) * robot.size * 0.25, 1e-12);
    draw("linear", linear, 1, "#c2185b");
    draw("angular", angular, 0.25 * robot.size, "#7a4fb5");
  }
}
