/**
 * Pushing the robot while it runs: an arrow from the output towards the pointer pulls like a spring while the button is
 * held; buttons push along an axis for as long as they are held, with the mouse or with a key.
 */
import type { Point } from "../contract";
import type { Lab } from "../app/lab";
import { h, write } from "../app/dom";
import { texts as all } from "../app/texts";
import { Dial } from "./dial";
import { section, type Part } from "./parts";
import type { Runner } from "./runner";

const texts = all.motion;

/** Force for an arrow as long as the robot, in weights of the robot. */
const WEIGHTS = 2;
/** Force of the buttons at first, in weights of the robot. */
const FIRST = 0.2;
const COLOUR = "#c62828";

export class Push {
  /** Where the pointer was when it took the robot, seen from the output, and where it is. */
  private grip: Point | null = null;
  private pointer: Point = [0, 0, 0];
  /** The force of a button that is held. */
  private steady: Point | null = null;
  /** N, for the panel. */
  force = 0;

  constructor(
    private readonly lab: Lab,
    private readonly runner: Runner,
  ) {
    lab.view.hook({
      down: (hit) => {
        const at = runner.output();
        if (runner.phase !== "running" || !runner.live || at === null) return false;
        this.pointer = hit.point;
        this.grip = minus(hit.point, at);
        return true;
      },
      move: (point) => {
        this.pointer = point;
      },
      up: () => this.end(),
    });
    runner.subscribe(() => this.update());
  }

  /** N. */
  weight(): number {
    const { mass, gravity } = this.lab.robot();
    return Math.max(mass, 1e-3) * (Math.hypot(...gravity) || 9.81);
  }

  /** Pushes with this force until `end`; starts the run if nothing runs. */
  hold(force: Point): void {
    if (this.runner.phase !== "running") this.runner.play();
    if (!this.runner.live) return;
    this.steady = force;
    this.lab.say(texts.pushing(Math.hypot(...force)));
    this.update();
  }

  end(): void {
    if (this.grip === null && this.steady === null) return;
    this.grip = null;
    this.steady = null;
    this.force = 0;
    this.runner.push(null);
    this.lab.view.arrow("push", null);
  }

  private update(): void {
    if (this.grip === null && this.steady === null) return;
    const at = this.runner.output();
    if (at === null || this.runner.phase !== "running") {
      this.end();
      return;
    }
    const perMetre = (WEIGHTS * this.weight()) / Math.max(this.lab.robot().size, 1e-6);
    const force = this.steady ?? times(minus(minus(this.pointer, this.grip!), at), perMetre);
    this.force = Math.hypot(...force);
    this.runner.push([...force, 0, 0, 0]);
    this.lab.view.arrow("push", at, times(force, 1 / perMetre), COLOUR);
  }
}

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a: Point, k: number): Point => [k * a[0], k * a[1], k * a[2]];

const AXES: readonly (readonly [string, Point])[] = [
  ["+x", [1, 0, 0]],
  ["−x", [-1, 0, 0]],
  ["+y", [0, 1, 0]],
  ["−y", [0, -1, 0]],
  ["+z", [0, 0, 1]],
  ["−z", [0, 0, -1]],
];

export function pushPart(lab: Lab, runner: Runner, push: Push): Part {
  let force = 0;
  let revision = -1;
  const dial = new Dial("motion-force", texts.force, { min: 0, max: 1, shape: "fine" }, (value) => (force = value));
  const telling = h("p", { id: "motion-pushing", class: "hint" });
  const buttons = AXES.map(([name, axis]) => {
    const made = h("button", { type: "button", id: `push-${name.replace("−", "-")}`, "aria-label": texts.pushAlong(name) }, name);
    const press = (): void => push.hold(times(axis, force));
    made.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      made.setPointerCapture(event.pointerId);
      press();
    });
    made.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) press();
    });
    for (const name of ["pointerup", "pointercancel", "keyup", "blur"] as const) made.addEventListener(name, () => push.end());
    return made;
  });
  const element = section("push-part", texts.push, false, h("p", { class: "hint" }, texts.pushHelp), dial.element, h("div", { class: "motion-axes" }, ...buttons), telling);
  const update = (): void => {
    const { robot, revision: now } = lab.state();
    if (robot === null) return;
    const reach = Number((5 * push.weight()).toPrecision(1));
    if (now !== revision) {
      revision = now;
      force = Number((FIRST * push.weight()).toPrecision(2));
    }
    dial.set(force, "N", true, { min: 0, max: reach, shape: "fine" });
    const idle = runner.phase !== "idle" && !runner.live;
    for (const made of buttons) made.disabled = idle;
    write(telling, idle ? texts.notPushed : push.force > 0 ? texts.pushing(push.force) : "");
  };
  return { element, update };
}
