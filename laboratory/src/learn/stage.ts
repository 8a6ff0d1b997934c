/** Where a step of a tour acts: loads and moves the robot, shows numbers, and puts everything away when the step is left. */
import type { Lab } from "../app/lab";
import type { Bench } from "../contract";

/** A number that a step claims: `key` names it in texts.learn.values. */
export interface Value {
  key: string;
  value: number | string | null;
  unit?: string;
}

export interface Step {
  /** Of its words in texts.ts. */
  key: string;
  /** In the notation of mathml.ts, a line each. */
  equations?: string[];
  /** Lines of the repository that compute it, by their names in sources.json. */
  source?: string[];
  /** A panel that belongs to it. */
  panel?: string;
  /** What is meant, as a CSS selector; it is outlined. */
  mark?: string;
  enter?(stage: Stage): void | Promise<void>;
  /** Read anew whenever the robot has moved. */
  values?(lab: Lab): Value[];
}

export interface Tour {
  /** Of its words in texts.ts, and of its command: tour-ID. */
  id: string;
  steps: Step[];
}

export class Stage {
  left = false;
  /** Of the step's robot: animations end when another one comes. */
  private revision = -1;
  /** Values that `enter` found, shown below those that are live. */
  readonly found: Value[] = [];
  private readonly closing: (() => void)[] = [];

  constructor(
    readonly lab: Lab,
    private readonly changed: () => void,
  ) {}

  show(...values: Value[]): void {
    for (const value of values) {
      const at = this.found.findIndex((other) => other.key === value.key);
      if (at < 0) this.found.push(value);
      else this.found[at] = value;
    }
    this.changed();
  }

  /** The built-in robot of the tour, at home and at rest. */
  async robot(name: string): Promise<void> {
    const { lab } = this;
    const { source, owner } = lab.state();
    if (source?.kind !== "builtin" || source.name !== name || owner !== "hand") await lab.load(name);
    else lab.home();
    this.revision = lab.state().revision;
    this.rest();
    lab.view.clearPath();
  }

  /** Whether the step's robot is still on the bench. */
  private own(): boolean {
    return this.lab.state().revision === this.revision;
  }

  rest(): void {
    const { lab } = this;
    if (!this.own()) return;
    const count = lab.robot().kind === "tree" ? lab.robot().freedoms.length || lab.robot().joints.length : 6;
    lab.setMotion(new Array<number>(count).fill(0), new Array<number>(count).fill(0));
  }

  /** A second robot, for numbers elsewhere than where the robot stands. */
  aside<T>(name: string, ask: (bench: Bench) => T): T {
    const bench = this.lab.engine.make({ kind: "builtin", name });
    try {
      return ask(bench);
    } finally {
      bench.free();
    }
  }

  /** Calls `move` with 0 … 1 over some seconds; at once with 1 where motion is not wanted. Settles at the end or when left. */
  animate(seconds: number, move: (part: number) => void): Promise<void> {
    if (this.left) return Promise.resolve();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      move(1);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      let passed = 0;
      const task = this.lab.frames.add((_, dt) => {
        passed += dt;
        if (this.own()) move(Math.min(1, passed / seconds));
        if (passed < seconds && this.own()) return true;
        task.remove();
        resolve();
        return false;
      });
      task.start();
      this.onLeave(() => {
        task.remove();
        resolve();
      });
    });
  }

  /** Calls `move` with the time until the step is left. */
  repeat(move: (time: number) => void): void {
    if (this.left) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let time = 0;
    const task = this.lab.frames.add((_, dt) => {
      if (this.own()) move((time += dt));
      return !still && this.own();
    });
    task.start();
    this.onLeave(() => task.remove());
  }

  onLeave(run: () => void): void {
    if (this.left) run();
    else this.closing.push(run);
  }

  leave(): void {
    this.left = true;
    for (const run of this.closing.splice(0).reverse()) run();
  }
}

/** Slow at both ends. */
export const smooth = (x: number): number => x * x * (3 - 2 * x);
export const largest = (list: readonly number[] | null | undefined): number | null => (list ? Math.max(...list.map(Math.abs)) : null);
