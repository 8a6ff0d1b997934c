/**
 * What moves the robot in time: a Motion of the library that is integrated step by step, or a recorded run that is
 * played. Both are recorded as a Run, so that slider, plots and comparison need not know which it is.
 */
import type { Live, Motion, MotionOptions, MotionStatus, Point, Sketch } from "../contract";
import type { Lab } from "../app/lab";
import { message } from "../app/laboratory";
import { texts as all } from "../app/texts";
import { cut, plotted, push, recordOf, rowAt, type Run } from "./run";
import { discard, Spare } from "./spare";

const texts = all.motion;

/** Longest step of the integrator between two records, s of the robot's time. */
const STEP = 1 / 120;
/** Part of a frame that steps may take, and its bounds in ms; beyond it the motion becomes slower than asked. */
const SHARE = 0.25;
const PATIENCE = [3, 12] as const;
/** A `live` that takes longer than this, ms, is not asked for in every frame. */
const SLOW = 4;
/** Longest record, rows; then the run pauses. */
const ROWS_AT_MOST = 60_000;
/** One step of a larger robot would hold up the page. */
const JOINTS_AT_MOST = 300;
const OWNER = "motion";
/** How long a scenario is where nothing has run yet and nothing is followed, s. */
const USUAL = 2;

export type Phase = "idle" | "running" | "paused";

const defaults: MotionOptions = {
  law: "free",
  omega: 10,
  zeta: 1,
  viscous: 0,
  coulomb: 0,
  payload: 0,
  law_knows_payload: true,
  spring: 0,
  reference: null,
};

export class Runner {
  readonly options: MotionOptions = { ...defaults };
  phase: Phase = "idle";
  /** Seconds of the robot per second of the clock. */
  speed = 1;
  run: Run | null = null;
  /** The row that is shown. */
  row = 0;
  /** Counts changes of the recorded rows. */
  version = 0;
  kept: Run | null = null;
  /** Why a Motion does not go on; null while it does. */
  ended: string | null = null;
  /** Seconds of the robot per second of the clock that were reached lately. */
  pace = 1;
  private motion: Motion | null = null;
  /** Options that the library took last. */
  private accepted: MotionOptions = { ...defaults };
  private reference: { of: MotionOptions["reference"]; text: string } | null = null;
  /** Whether options wait for the library, and whether rows after the shown one were made with others. */
  private waiting = false;
  private stale = false;
  private owed = 0;
  private wrench: Float64Array | null = null;
  private liveCost = 0;
  private liveAt = 0;
  private revision = -1;
  private readonly shadow: Spare;
  private readonly twin: Spare;
  private readonly listeners = new Set<() => void>();
  private readonly task: { start(): void; stop(): void };

  constructor(private readonly lab: Lab) {
    this.shadow = new Spare(lab);
    this.twin = new Spare(lab);
    this.task = lab.frames.add((_, dt) => this.frame(dt));
    lab.store.subscribe(["revision"], () => this.meet());
  }

  /** Runs after anything changed: at most once a frame while it runs. */
  subscribe(run: () => void): void {
    this.listeners.add(run);
  }
  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** Whether a Motion, not a replay, is on. */
  get live(): boolean {
    return this.motion !== null;
  }
  get t(): number {
    return this.run?.t[this.row] ?? 0;
  }
  get end(): number {
    return this.run?.t.at(-1) ?? 0;
  }
  private get atEnd(): boolean {
    return this.run === null || this.row >= this.run.t.length - 1;
  }

  /** How long a scenario of the present run is, s. */
  get duration(): number {
    return this.end || this.options.reference?.t.at(-1) || USUAL;
  }

  /** A scenario that gives the numbers of a run with the present options: from where the run began, or will begin. */
  scenario(duration: number): string {
    this.meet();
    const start = this.run !== null && this.run.places.length > 0 ? this.shadow.at(this.run, 0) : this.lab.bench();
    return start.scenario(this.written(), duration);
  }

  /** Begins, goes on, or goes on from the row that is shown. */
  play(): void {
    if (this.phase === "running") return;
    try {
      if (this.run === null || this.phase === "idle") this.begin();
      else if (this.motion !== null) this.resume();
      else if (this.atEnd) this.row = 0;
    } catch (error) {
      this.broken(error);
      return;
    }
    if (this.ended === null) {
      this.phase = "running";
      this.owed = 0;
      this.pace = this.speed;
      this.lab.say(this.motion ? texts.started(this.run!.name) : this.run!.name);
      this.task.start();
    }
    this.changed();
  }

  pause(): void {
    if (this.phase !== "running") return;
    this.phase = "paused";
    this.task.stop();
    this.push(null);
    if (this.ended === null) this.lab.say(texts.paused);
    this.present();
    this.changed();
  }

  toggle(): void {
    if (this.phase === "running") this.pause();
    else this.play();
  }

  /** One record further, of a Motion one step of the integrator. */
  step(dt = STEP): void {
    this.pause();
    try {
      if (this.run === null || this.phase === "idle") this.begin();
      if (this.motion !== null && this.stale) this.resume();
      if (!this.atEnd) this.row++;
      else if (this.motion !== null && this.ended === null) this.advance(dt);
    } catch (error) {
      this.broken(error);
      return;
    }
    this.present();
    this.changed();
  }

  back(): void {
    if (this.phase === "idle") return;
    this.pause();
    this.show(Math.max(0, this.row - 1));
  }

  /** Shows an earlier moment; later ones are forgotten only when it goes on from there. */
  scrub(t: number): void {
    if (this.run === null || this.phase === "idle") return;
    this.pause();
    this.show(rowAt(this.run, t));
  }

  /** Gives the robot back to the hand, where it is. */
  finish(): void {
    if (this.phase === "idle") return;
    let q: Float64Array | undefined;
    try {
      q = this.shown()?.q();
    } catch (error) {
      this.lab.fail(error);
    }
    this.release();
    this.lab.give(OWNER);
    if (q !== undefined) this.lab.setQ(q);
    this.lab.say(texts.taken);
    this.changed();
  }

  /** Changes options, also while it runs. */
  change(part: Partial<MotionOptions>): void {
    Object.assign(this.options, part);
    if (this.motion !== null) {
      this.waiting = true;
      this.stale = !this.atEnd;
      if (this.phase !== "running") this.submit();
    }
    this.changed();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.pace = speed;
    this.changed();
  }

  /** A wrench at the output in base axes, until null. */
  push(wrench: readonly number[] | null): void {
    if (this.wrench === null && wrench === null) return;
    this.wrench = wrench === null ? null : Float64Array.from(wrench);
    try {
      this.motion?.push(this.wrench ?? new Float64Array(6));
    } catch (error) {
      this.broken(error);
    }
  }

  /** Plays a recorded run: a preview, a scenario, a measurement. */
  replay(run: Run): void {
    this.meet();
    this.release();
    this.run = run;
    this.row = 0;
    this.version++;
    this.lab.view.clearPath();
    if (run.places.length > 0) {
      this.hold();
      this.phase = "paused";
      this.play();
    } else this.lab.give(OWNER);
    this.changed();
  }

  keep(): void {
    if (this.run !== null && this.run.t.length > 0) this.compare(structuredClone(this.run));
  }
  /** Draws another run beside the present one; null: none. */
  compare(run: Run | null): void {
    this.meet();
    this.kept = run;
    if (run === null || run.places.length === 0) this.lab.view.ghost("kept", null);
    if (this.phase !== "idle") this.present();
    this.changed();
  }

  /** Runs with the present options from where the kept run began. */
  runFromKept(): void {
    if (this.kept === null || this.kept.places.length === 0) return;
    this.finish();
    try {
      const why = this.lab.setQ(this.twin.at(this.kept, 0).q());
      if (why !== "") throw new Error(why);
    } catch (error) {
      return this.lab.fail(error);
    }
    this.play();
  }

  /** Where the output is now, of what is drawn. */
  output(): Point | null {
    const pose = this.lab.state().live?.pose;
    return pose ? [pose[0]!, pose[1]!, pose[2]!] : null;
  }

  private begin(): void {
    const { joints } = this.lab.robot();
    if (joints.length > JOINTS_AT_MOST) throw new Error(texts.tooLarge(joints.length, JOINTS_AT_MOST));
    this.meet();
    this.release();
    this.motion = new this.lab.engine.library.Motion(this.lab.bench(), this.written());
    this.accepted = { ...this.options };
    this.hold();
    this.lab.view.clearPath();
    this.phase = "paused";
    this.run = recordOf(texts.runName(this.options));
    this.record(JSON.parse(this.motion.step(0)) as MotionStatus);
  }

  /** Goes on from the row that is shown. */
  private resume(): void {
    this.stale = false;
    if (this.atEnd) return;
    if (this.row === 0) {
      this.begin(); // also its first row belongs to the present options
      return;
    }
    const status = JSON.parse(this.motion!.rewind(this.t)) as MotionStatus;
    this.ended = status.ended;
    this.row = rowAt(this.run!, status.t); // of a long motion the library keeps not every moment
    cut(this.run!, this.row);
    this.version++;
  }

  private frame(dt: number): boolean {
    if (this.phase !== "running" || this.run === null) return false;
    if (this.motion === null) this.replayed(dt * this.speed);
    else this.integrate(dt);
    if (this.phase !== "running") return false;
    if (this.ended !== null || (this.motion === null && this.atEnd)) this.pause();
    else {
      this.present();
      this.changed();
    }
    return this.phase === "running";
  }

  private integrate(dt: number): void {
    const begun = performance.now();
    const patience = Math.min(Math.max(1000 * SHARE * dt, PATIENCE[0]), PATIENCE[1]);
    const step = Math.min(STEP, STEP * this.speed);
    let done = 0;
    this.owed = Math.min(this.owed + dt * this.speed, 0.25 * Math.max(1, this.speed));
    try {
      while (this.owed >= step && this.motion !== null && this.ended === null && performance.now() - begun < patience) {
        this.advance(step);
        this.owed -= step;
        done += step;
      }
    } catch (error) {
      this.broken(error);
      return;
    }
    if (this.motion === null) return;
    if (this.owed >= step) this.owed = 0; // it cannot keep up: no debt for later
    this.pace += 0.1 * (done / Math.max(dt, 1e-6) - this.pace);
    if (this.run!.t.length >= ROWS_AT_MOST) this.stopped(texts.longRun(ROWS_AT_MOST));
  }

  private replayed(asked: number): void {
    const run = this.run!;
    this.owed += asked;
    const next = rowAt(run, this.t + this.owed);
    if (next <= this.row) return;
    this.owed -= run.t[next]! - this.t;
    this.row = next;
  }

  private advance(dt: number): void {
    if (this.waiting) this.submit();
    if (this.motion === null) return;
    const status = JSON.parse(this.motion.step(dt)) as MotionStatus;
    if (status.t > this.end) this.record(status);
    if (status.ended !== null) this.stopped(status.ended);
  }

  private record(status: MotionStatus): void {
    const robot = this.lab.robot();
    const q = Array.from(this.motion!.q());
    const { kinetic, potential } = status.energy;
    push(this.run!, robot, status.t, q, {
      positions: plotted(robot).map(({ joint }) => q[joint]!),
      torques: robot.drives.length > 0 ? status.tau : null,
      energies: [kinetic, potential, kinetic + potential],
      errors: status.error,
    });
    this.row = this.run!.t.length - 1;
    this.version++;
  }

  /** Hands the options to the library; what it refuses is taken back. */
  private submit(): void {
    this.waiting = false;
    try {
      this.motion!.set(this.written());
      this.accepted = { ...this.options };
    } catch (error) {
      Object.assign(this.options, this.accepted);
      if (error instanceof WebAssembly.RuntimeError) this.broken(error);
      else this.lab.fail(error);
    }
  }

  /** The options as JSON; a reference is long and is written once. */
  private written(): string {
    const { reference, ...rest } = this.options;
    if (this.reference?.of !== reference) this.reference = { of: reference, text: JSON.stringify(reference) };
    return `${JSON.stringify(rest).slice(0, -1)},"reference":${this.reference?.text ?? "null"}}`;
  }

  private stopped(why: string): void {
    this.ended = why;
    this.lab.say(texts.ended(why));
  }

  /** An error of the library: a motion that cannot go on ends; after a trap nothing of that instance is used again. */
  private broken(error: unknown): void {
    const trapped = error instanceof WebAssembly.RuntimeError;
    if (this.motion !== null && !trapped) {
      this.stopped(message(error));
      this.pause();
    } else {
      this.release();
      this.lab.fail(error);
      this.lab.give(OWNER);
    }
    this.changed();
  }

  private show(row: number): void {
    this.row = row;
    this.present();
    this.changed();
  }

  /** What is drawn now: the Motion at its last row, else a spare robot at a recorded one. */
  private shown(): { q(): Float64Array; sketch(): string; live(): string } | null {
    if (this.run === null || this.run.places.length === 0) return null;
    return this.motion !== null && this.atEnd ? this.motion : this.shadow.at(this.run, this.row);
  }

  private present(): void {
    try {
      const shown = this.shown();
      if (shown !== null) {
        const sketch = JSON.parse(shown.sketch()) as Sketch;
        const begun = performance.now();
        const due = this.phase !== "running" || this.liveCost < SLOW || begun - this.liveAt > 8 * this.liveCost;
        const live = due ? (JSON.parse(shown.live()) as Live) : null;
        if (due) {
          this.liveAt = performance.now();
          this.liveCost = 0.7 * this.liveCost + 0.3 * (this.liveAt - begun);
        }
        this.lab.present(sketch, live);
      }
      if (this.kept !== null && this.kept.places.length > 0 && this.kept !== this.run)
        this.lab.view.ghost("kept", JSON.parse(this.twin.at(this.kept, rowAt(this.kept, this.t)).sketch()) as Sketch);
    } catch (error) {
      this.broken(error);
    }
  }

  private hold(): void {
    if (this.lab.state().owner !== OWNER) this.lab.take(OWNER, () => this.lost());
  }

  /** Forgets what belonged to a robot that is no longer on the bench. */
  private meet(): void {
    const { revision } = this.lab.state();
    if (revision === this.revision) return;
    this.revision = revision;
    this.release();
    this.run = null;
    this.kept = null;
    this.options.reference = null;
    if (!this.lab.state().robot?.drives.some((drive) => drive.driven)) this.options.law = "free"; // a law without drives cannot run
    this.lab.view.ghost("kept", null);
    this.shadow.free();
    this.twin.free();
    this.changed();
  }

  private lost(): void {
    this.release();
    this.changed();
  }

  private release(): void {
    this.task.stop();
    this.phase = "idle";
    if (this.motion !== null) discard(this.motion);
    this.motion = null;
    this.wrench = null;
    this.ended = null;
    this.waiting = false;
    this.stale = false;
    this.liveCost = 0;
  }
}
