/** The library on this thread, and workers with the same module. */
import workerSource from "virtual:worker";
import type { Bench, Library } from "../contract";
import type { Source, Store } from "../app/store";
import { Cancelled, type Call, type Engine, type Pending } from "./engine";
import { instantiate } from "./load";

interface Job {
  id: number;
  call: Call;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}
interface Seat {
  worker: Worker;
  job: Job | null;
  timer: number;
  /** One seat more than the others, for urgent jobs alone: long ones never starve them. */
  reserved: boolean;
}

const DEFAULT_TIMEOUT = 120_000;

export class Pool implements Engine {
  library: Library;
  private seats: Seat[] = [];
  private queue: Job[] = [];
  private next = 1;
  private readonly url = URL.createObjectURL(new Blob([workerSource], { type: "text/javascript" }));
  private readonly seatsAtMost = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));

  constructor(
    private readonly module: WebAssembly.Module | null,
    private readonly store: Store,
  ) {
    this.library = instantiate(module);
  }

  restart(): void {
    this.library = instantiate(this.module);
  }

  make(source: Source): Bench {
    return source.kind === "builtin" ? this.library.Bench.builtin(source.name) : this.library.Bench.read(source.text, source.file);
  }

  call<T = string>(call: Call): Pending<T> {
    const id = this.next++;
    let job!: Job;
    const promise = new Promise<unknown>((resolve, reject) => (job = { id, call, resolve, reject }));
    const others = call.urgent ? this.queue.findIndex((other) => !other.call.urgent) : -1;
    this.queue.splice(others < 0 ? this.queue.length : others, 0, job);
    this.dispatch();
    return { promise: promise as Promise<T>, cancel: () => this.cancel(job) };
  }

  ask<T>(method: string, args: unknown[] = [], timeout?: number): Pending<T> {
    const { source, robot, live } = this.store.get();
    if (source === null || robot === null) throw new Error("no robot");
    const pending = this.call<unknown>({ robot: { source, q: live?.q ?? null, output: robot.output }, method, args, timeout });
    const promise = pending.promise.then((answer) => (typeof answer === "string" ? parse<T>(answer) : (answer as T)));
    return { promise, cancel: pending.cancel };
  }

  cancelAll(): void {
    for (const job of [...this.queue, ...this.seats.flatMap((seat) => seat.job ?? [])]) if (!job.call.urgent) this.cancel(job);
  }

  private cancel(job: Job): void {
    const waiting = this.queue.indexOf(job);
    if (waiting >= 0) this.queue.splice(waiting, 1);
    const seat = this.seats.find((seat) => seat.job === job);
    if (seat) this.dismiss(seat);
    job.reject(new Cancelled());
    this.dispatch();
  }

  /** Ends a worker; the next call starts another. */
  private dismiss(seat: Seat): void {
    clearTimeout(seat.timer);
    seat.worker.terminate();
    this.seats.splice(this.seats.indexOf(seat), 1);
  }

  private dispatch(): void {
    while (this.queue.length > 0) {
      const { urgent = false } = this.queue[0]!.call;
      const seat = this.free(false) ?? this.hire(false) ?? (urgent ? (this.free(true) ?? this.hire(true)) : null);
      if (seat === null) return; // urgent jobs stand first: the others find none either
      const job = this.queue.shift()!;
      const limit = job.call.timeout ?? DEFAULT_TIMEOUT;
      seat.job = job;
      seat.timer = window.setTimeout(() => {
        this.dismiss(seat);
        job.reject(new Error(`${job.call.method} did not finish within ${limit / 1000} s`));
        this.dispatch();
      }, limit);
      seat.worker.postMessage({ id: job.id, call: job.call });
    }
  }

  private free(reserved: boolean): Seat | null {
    return this.seats.find((seat) => seat.job === null && seat.reserved === reserved) ?? null;
  }

  private hire(reserved: boolean): Seat | null {
    if (this.seats.filter((seat) => seat.reserved === reserved).length >= (reserved ? 1 : this.seatsAtMost)) return null;
    const worker = new Worker(this.url);
    const seat: Seat = { worker, job: null, timer: 0, reserved };
    const done = (settle: (job: Job) => void) => {
      const job = seat.job;
      clearTimeout(seat.timer);
      seat.job = null;
      if (job) settle(job);
      this.dispatch();
    };
    worker.onmessage = (event: MessageEvent<{ id: number; answer?: unknown; error?: string }>) =>
      done((job) => (event.data.error === undefined ? job.resolve(event.data.answer) : job.reject(new Error(event.data.error))));
    worker.onerror = (event) => {
      const job = seat.job;
      this.dismiss(seat);
      job?.reject(new Error(event.message || "the worker stopped"));
      this.dispatch();
    };
    worker.postMessage({ module: this.module });
    this.seats.push(seat);
    return seat;
  }
}

/** Answers are JSON, except generated code and written files. */
function parse<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    return text as unknown as T;
  }
}
