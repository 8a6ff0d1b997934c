/**
 * The library: one instance on this thread for what is live, a pool of workers for what is long. Workers make the
 * robot again from its source, so that no robot crosses a thread.
 */
import type { Bench, Library } from "../contract";
import type { Source } from "../app/store";

/** A call for a worker: a method of Bench (with the robot's state) or of the library (without). */
export interface Call {
  /** The robot; null for a function of the library: check, play, … */
  robot: { source: Source; q: number[] | null; output?: string | null } | null;
  method: string;
  args: unknown[];
  /** Give up after this time, ms: the worker is ended and replaced. Default 120 000. */
  timeout?: number;
  /** Goes before others and need not wait for them; outlives the robot on the bench: a trial of the next one, a check. */
  urgent?: boolean;
}

export interface Pending<T = string> {
  promise: Promise<T>;
  /** Rejects the promise with `Cancelled`, whether it has begun or not. */
  cancel(): void;
}

export class Cancelled extends Error {
  constructor() {
    super("cancelled");
    this.name = "Cancelled";
  }
}

export interface Engine {
  readonly library: Library;
  /** Makes a robot on this thread. Throws the library's message. */
  make(source: Source): Bench;
  /** Runs one call in a worker. Answers are what the library returns: JSON text or Float64Array. */
  call<T = string>(call: Call): Pending<T>;
  /** A call at the present state of the robot on the bench; parses the JSON. */
  ask<T>(method: string, args?: unknown[], timeout?: number): Pending<T>;
  /** Ends all that is under way for the robot on the bench: all but what is urgent. */
  cancelAll(): void;
  /** The module may be unusable after a trap: makes a new instance. Benches made before are dead. */
  restart(): void;
}
