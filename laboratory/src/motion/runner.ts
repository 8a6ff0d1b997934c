/**
 * What moves the robot in time: a Motion of the library that is integrated step by step, or a recorded run that is
 * played. Both are recorded as a Run, so that slider, plots and comparison need not know which it is.
 */
import type { Bench, Live, Motion, MotionOptions, MotionStatus, Point, Sketch } from "../contract";
import type { Lab } from "../app/lab";
import { message } from "../app/laboratory";
import { cut, push, recordOf, rowAt, type Run } from "./run";
import { texts as all } from "../app/texts";

const texts = all.motion;

/** Longest step of the integrator between two records, s of the robot's time. */
const STEP = 1 / 120;
/** Script time that steps may take in a frame, ms; beyond it the motion becomes slower than real time. */
const PATIENCE = 6;
/** Longest record, rows; then the run pauses. */
const ROWS_AT_MOST = 60_000;
const OWNER = "motion";

export type Phase = "idle" | "running" | "paused";

export const defaults: MotionOptions = {
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
  kept: Run | null = null;
  status: MotionStatus | null = null;
  /** Why a Motion does not go on; null while it does. */
  ended: string | null = null;
  /** Seconds of the robot per second of the clock that were reached lately. */
  pace = 1;
  private motion: Motion | null = null;
  private shadow: { bench: Bench; revision: number } | null = null;
  private twin: { bench: Bench; revision: number } | null = null;
  private owed = 0;
  private wrench: Float64Array | null = null;
  private listeners = new Set<() => void>();
  private readonly task: { start(): void; stop(): void };

  constructor(private readonly lab: Lab) {
    this.task = lab.frames.add((_, dt) => this.frame(dt));
    lab.store.subscribe(["revision"], () => this.otherRobot());
  }

  /** Runs after anything changed: at most once a frame while it runs. */
  subscribe(run: () => void): void {
    this.listeners.add(run);
  }
  changed(): void {
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

  /** Begins, goes on, or goes on from the row that is shown. */
  play(): void {
    if (this.phase === "running") return;
    try {
      if (this.run === null || this.phase === "idle") this.begin();
      else if (this.motion !== null) this.resume();
      else if (this.row >= this.run.t.length - 1) this.row = 0;
    } catch (error) {
      this.lab.fail(error);
      return;
    }
    if (this.ended !== null && this.motion !== null) {
      this.changed();
      return;
    }
    this.phase = "running";
    this.owed = 0;
    this.lab.say(this.motion ? texts.started(texts.laws[this.options.law] ?? this.options.law) : (this.run?.name ?? ""));
    this.task.start();
    this.changed();
  }

  pause(): void {
    if (this.phase !== "running") return;
    this.phase = "paused";
    this.task.stop();
    this.push(null);
    this.lab.say(texts.paused);
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
      this.phase = "paused";
      if (this.motion !== null && this.row === this.run!.t.length - 1) this.advance(dt);
      else this.show(Math.min(this.row + 1, this.run!.t.length - 1));
    } catch (error) {
      this.stopped(message(error));
    }
    this.present();
    this.changed();
  }

  back(): void {
    this.pause();
    if (this.run !== null) this.show(Math.max(0, this.row - 1));
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
    const q = this.shown()?.q();
    this.release();
    this.lab.give(OWNER);
    if (q !== undefined) this.lab.setQ(q);
    this.lab.say(texts.taken);
    this.changed();
  }

  /** Changes options, also while it runs. */
  change(part: Partial<MotionOptions>): void {
    Object.assign(this.options, part);
    try {
      this.motion?.set(JSON.stringify(this.options));
    } catch (error) {
      this.lab.fail(error);
    }
    this.changed();
  }

  /** A wrench at the output in base axes, until null. */
  push(wrench: readonly number[] | null): void {
    if (this.wrench === null && wrench === null) return;
    this.wrench = wrench === null ? null : Float64Array.from(wrench);
    try {
      this.motion?.push(this.wrench ?? new Float64Array(6));
    } catch (error) {
      this.lab.fail(error);
    }
  }

  /** Plays a recorded run: a preview, a scenario, a measurement. */
  replay(run: Run): void {
    this.release();
    this.run = run;
    this.row = 0;
    if (run.places.length > 0) {
      this.lab.take(OWNER, () => this.lost());
      this.phase = "paused";
      this.show(0);
      this.play();
    }
    this.changed();
  }

  keep(): void {
    if (this.run === null || this.run.t.length === 0) return;
    const { groups, ...rest } = this.run;
    this.kept = { ...structuredClone(rest), groups: structuredClone(groups) };
    this.changed();
  }
  letGo(): void {
    this.kept = null;
    this.lab.view.ghost("kept", null);
    this.changed();
  }

  /** Where the output is now, of what is drawn. */
  output(): Point | null {
    const pose = this.lab.state().live?.pose;
    return pose ? [pose[0]!, pose[1]!, pose[2]!] : null;
  }

  private begin(): void {
    const robot = this.lab.robot();
    const bench = this.lab.bench();
    this.release();
    this.motion = new this.lab.engine.library.Motion(bench, JSON.stringify(this.options));
    this.lab.take(OWNER, () => this.lost());
    const followed = this.options.law === "hold-pd" || this.options.law === "computed-torque";
    this.run = recordOf(robot, texts.laws[this.options.law] ?? this.options.law, followed);
    this.record(JSON.parse(this.motion.step(0)) as MotionStatus);
    this.phase = "paused";
  }

  /** Goes on from the row that is shown. */
  private resume(): void {
    if (this.row === this.run!.t.length - 1) return;
    this.status = JSON.parse(this.motion!.rewind(this.t)) as MotionStatus;
    this.ended = this.status.ended;
    cut(this.run!, this.row);
  }

  private frame(dt: number): boolean {
    if (this.phase !== "running" || this.run === null) return false;
    const asked = dt * this.speed;
    if (this.motion === null) this.replayed(asked);
    else {
      const begun = performance.now();
      const step = Math.min(STEP, STEP * this.speed);
      let done = 0;
      this.owed = Math.min(this.owed + asked, 0.25);
      try {
        while (this.owed >= step && this.ended === null && performance.now() - begun < PATIENCE) {
          this.advance(step);
          this.owed -= step;
          done += step;
        }
      } catch (error) {
        this.stopped(message(error));
      }
      if (this.owed >= step) this.owed = 0;
      this.pace += 0.1 * ((done / Math.max(dt, 1e-6)) - this.pace);
      if (this.run.t.length >= ROWS_AT_MOST) this.stopped(texts.tooLong);
    }
    this.present();
    if (this.ended !== null && this.motion !== null && this.phase === "running") this.pause();
    this.changed();
    return this.phase === "running";
  }

  private replayed(asked: number): void {
    this.owed += asked;
    const run = this.run!;
    const next = rowAt(run, this.t + this.owed);
    if (next > this.row) {
      this.owed -= run.t[next]! - this.t;
      this.row = next;
    }
    if (this.row >= run.t.length - 1) {
      this.phase = "paused";
      this.lab.say(texts.paused);
    }
  }

  private advance(dt: number): void {
    const status = JSON.parse(this.motion!.step(dt)) as MotionStatus;
    if (status.ended !== null && this.run!.t.at(-1)! >= status.t) {
      this.stopped(status.ended);
      return;
    }
    this.record(status);
    if (status.ended !== null) this.stopped(status.ended);
  }

  private record(status: MotionStatus): void {
    const robot = this.lab.robot();
    const q = Array.from(this.motion!.q());
    const { kinetic, potential } = status.energy;
    this.status = status;
    push(this.run!, status.t, q, {
      positions: robot.drives.map((drive) => q[drive.joint]!),
      torques: status.tau,
      energies: [kinetic, potential, kinetic + potential],
      errors: status.error,
    });
    this.row = this.run!.t.length - 1;
  }

  private stopped(why: string): void {
    this.ended = why;
    this.lab.say(texts.ended(why));
  }

  private show(row: number): void {
    this.row = row;
    this.present();
    this.changed();
  }

  /** What is drawn now: the Motion at its last row, else the shadow at a recorded one. */
  private shown(): { q(): Float64Array; sketch(): string; live(): string } | null {
    if (this.run === null || this.run.places.length === 0) return null;
    if (this.motion !== null && this.row === this.run.t.length - 1) return this.motion;
    this.shadow = this.benchFor(this.shadow);
    place(this.shadow.bench, this.run, this.row);
    return this.shadow.bench;
  }

  private present(): void {
    try {
      const shown = this.shown();
      if (shown !== null) this.lab.present(JSON.parse(shown.sketch()) as Sketch, JSON.parse(shown.live()) as Live);
      if (this.kept !== null && this.kept.places.length > 0 && this.kept !== this.run) {
        this.twin = this.benchFor(this.twin);
        place(this.twin.bench, this.kept, rowAt(this.kept, this.t));
        this.lab.view.ghost("kept", JSON.parse(this.twin.bench.sketch()) as Sketch);
      }
    } catch (error) {
      this.pause();
      this.lab.fail(error);
    }
  }

  /** A second robot of the present kind, for what is not the present state. */
  private benchFor(had: { bench: Bench; revision: number } | null): { bench: Bench; revision: number } {
    const { revision, source } = this.lab.state();
    if (had !== null && had.revision === revision) return had;
    had?.bench.free();
    if (source === null) throw new Error(texts.otherRobot);
    const bench = this.lab.engine.make(source);
    bench.set_output(this.lab.bench().output());
    bench.set_q(this.lab.bench().q());
    return { bench, revision };
  }

  private otherRobot(): void {
    this.release();
    this.run = null;
    this.kept = null;
    this.options.reference = null;
    this.lab.view.ghost("kept", null);
    this.changed();
  }

  private lost(): void {
    this.release();
    this.changed();
  }

  private release(): void {
    this.task.stop();
    this.phase = "idle";
    this.motion?.free();
    this.motion = null;
    this.wrench = null;
    this.ended = null;
    this.status = null;
    this.pace = 1;
  }
}

function place(bench: Bench, run: Run, row: number): void {
  const values = run.places[row];
  if (values === undefined || values.some((value) => !Number.isFinite(value))) return;
  const given = Float64Array.from(values);
  if (run.place === "q") bench.set_q(given);
  else if (run.place === "pose") bench.set_pose(given);
  else bench.set_drives(given);
}
