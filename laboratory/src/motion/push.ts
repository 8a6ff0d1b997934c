/** Pushing with the mouse: an arrow from the output to the pointer pulls like a spring while the button is held. */
import type { Point } from "../contract";
import type { Lab } from "../app/lab";
import type { Runner } from "./runner";
import { texts as all } from "../app/texts";

const texts = all.motion;

/** Force for an arrow as long as the robot, in weights of the robot. */
const WEIGHTS = 2;
const COLOUR = "#c62828";

export class Push {
  private towards: Point | null = null;

  constructor(
    private readonly lab: Lab,
    private readonly runner: Runner,
  ) {
    lab.view.hook({
      down: (hit) => {
        if (runner.phase !== "running" || !runner.live) return false;
        this.towards = hit.point;
        return true;
      },
      move: (point) => {
        if (this.towards !== null) this.towards = point;
      },
      up: () => this.end(),
    });
    runner.subscribe(() => this.update());
  }

  /** Newton per metre of the arrow. */
  private stiffness(): number {
    const { mass, size, gravity } = this.lab.robot();
    const weight = Math.max(mass, 1e-3) * (Math.hypot(...gravity) || 9.81);
    return (WEIGHTS * weight) / Math.max(size, 1e-6);
  }

  private update(): void {
    if (this.towards === null) return;
    const at = this.runner.output();
    if (at === null || this.runner.phase !== "running") {
      this.end();
      return;
    }
    const along: Point = [this.towards[0] - at[0], this.towards[1] - at[1], this.towards[2] - at[2]];
    const k = this.stiffness();
    this.runner.push([k * along[0], k * along[1], k * along[2], 0, 0, 0]);
    this.lab.view.arrow("push", at, along, COLOUR);
    this.lab.say(texts.pushing(k * Math.hypot(...along)));
  }

  private end(): void {
    if (this.towards === null) return;
    this.towards = null;
    this.runner.push(null);
    this.lab.view.arrow("push", null);
  }
}
