/** What a module of the page may use: the interface of the laboratory itself, also `window.lab` for tests. */
import type { Bench, Live, MotionOptions, RobotInfo, Sketch, Point } from "../contract";
import type { Engine } from "../engine/engine";
import type { Run } from "../motion/run";
import type { Runner } from "../motion/runner";
import type { View } from "../view/view";
import type { Frames, FrameTime } from "./frames";
import type { Source, State, Store } from "./store";

/** What moves the robot in time, `motion/`, as other modules see it. */
export interface MotionHandle {
  readonly runner: Runner;
  options(): MotionOptions;
  /** What was recorded last, or is played; null before the first run of a robot. */
  run(): Run | null;
  /** The whole run as a table with all digits; "" without one. */
  csv(): string;
  /** Runs a scenario in a worker, on its own robot, and plays its record. */
  play(scenario: string): Promise<void>;
}

export interface Lab {
  readonly store: Store;
  readonly engine: Engine;
  readonly view: View;
  readonly frames: Frames;
  /** Set when `motion/` is installed. */
  motion: MotionHandle | null;
  /** Settled when the first robot is drawn. */
  readonly ready: Promise<void>;

  /** The robot under the hand; throws before the first one. Do not free it. */
  bench(): Bench;
  state(): Readonly<State>;
  robot(): RobotInfo;
  /** `live` of the present state, computed now. */
  live(): Live;
  sketch(): Sketch;

  /**
   * Puts a robot on the bench: a built-in name or a source. False, with a message shown, where it cannot; the old one
   * stays. Also false where another robot was asked for meanwhile: the last request wins. `quietly`: without its warnings; `stay`: in the pose and under the camera of the robot before it, as far as it can.
   */
  load(source: string | Source, how?: { quietly?: boolean; stay?: boolean }): Promise<boolean>;
  /** Each moves as far as possible, draws, and returns why it stopped ("" if it arrived). */
  setPose(pose: ArrayLike<number>): string;
  setDrives(drives: ArrayLike<number>): string;
  setJoint(index: number, value: number): string;
  setQ(q: ArrayLike<number>): string;
  /** Twist and acceleration (or joint velocities and accelerations of a tree) that `live` assumes. */
  setMotion(v: ArrayLike<number>, a: ArrayLike<number>): void;
  setOutput(frame: string): void;
  home(): void;
  /** Reads sketch and live from the bench again, after a direct call of it. */
  refresh(): void;

  /**
   * Takes the robot from the hand: gizmo and fields rest, and `present` decides what is drawn, until `give` or another
   * robot. `lost` is called when somebody else takes it or another robot comes.
   */
  take(owner: string, lost: () => void): void;
  give(owner: string): void;
  /** Draws a configuration that is not the bench's: of a Motion or a recorded run. */
  present(sketch: Sketch, live: Live | null): void;

  /** A sentence for the screen reader and the status line. */
  say(text: string): void;
  /** An error message that stays until it is closed; after a trap of the library also starts it again. */
  fail(error: unknown): void;
  /** A remark that goes by itself; with something to do about it, it stays until it is done or closed. */
  tell(text: string, action?: { title: string; run(): void }): void;
  /** Opens a panel by its id. */
  open(panel: string): void;
  /** A dialog with a title; returns its body and what closes it. */
  dialog(title: string, wide?: boolean): { body: HTMLElement; close(): void };
  /** Gives a file to the user. */
  download(name: string, content: Blob | string, type?: string): void;

  /** For tests. Pixel of a point in base axes, CSS pixels from the page's upper left corner. */
  project(point: Point): [number, number];
  /** The last frames, newest last. */
  frameTimes(): FrameTime[];
  forgetFrameTimes(): void;
}
