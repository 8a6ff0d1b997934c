/** The laboratory: the robot on the bench, and everything a module may do with it. */
import type { Bench, Live, Point, Problem, RobotInfo, Sketch } from "../contract";
import { Cancelled, type Pending } from "../engine/engine";
import type { Pool } from "../engine/pool";
import type { Scene } from "../view/scene";
import { h } from "./dom";
import type { Frames, FrameTime } from "./frames";
import type { Lab, MotionHandle } from "./lab";
import type { Source, State, Store } from "./store";
import { texts } from "./texts";

const TEXT_AT_MOST = 16e6; // characters of a robot's file
const TRIAL = 20_000; // ms that a file may take in a worker
const SLOW = 2.5; // ms: a `live` that takes longer is not asked for in every frame

export class Laboratory implements Lab {
  readonly ready: Promise<void>;
  motion: MotionHandle | null = null;
  settle!: () => void;
  private held: Bench | null = null;
  /** Counts requests to load: the last one wins. */
  private loads = 0;
  private trial: { pending: Pending; busy: string } | null = null;
  private lost: (() => void) | null = null;
  private liveCost = 0;
  private liveAt = 0;
  private liveTimer = 0;

  constructor(
    readonly store: Store,
    readonly frames: Frames,
    readonly engine: Pool,
    readonly view: Scene,
    private readonly shell: { toasts: HTMLElement; live: HTMLElement; status: HTMLElement },
    readonly open: (panel: string) => void,
  ) {
    this.ready = new Promise((resolve) => (this.settle = resolve));
  }

  bench(): Bench {
    if (!this.held) throw new Error(texts.app.noRobot);
    return this.held;
  }
  state(): Readonly<State> {
    return this.store.get();
  }
  robot(): RobotInfo {
    const { robot } = this.store.get();
    if (!robot) throw new Error(texts.app.noRobot);
    return robot;
  }
  live(): Live {
    return JSON.parse(this.bench().live()) as Live;
  }
  sketch(): Sketch {
    return JSON.parse(this.bench().sketch()) as Sketch;
  }

  async load(wanted: string | Source, { quietly = false, stay = false } = {}): Promise<boolean> {
    const source: Source = typeof wanted === "string" ? { kind: "builtin", name: wanted } : wanted;
    const name = source.kind === "builtin" ? source.name : source.file;
    const turn = ++this.loads;
    if (this.trial) {
      this.trial.pending.cancel();
      this.store.done(this.trial.busy);
      this.trial = null;
    }
    const busy = texts.app.reading(name);
    try {
      if (source.kind === "file") {
        if (source.text.length > TEXT_AT_MOST) throw new Error(texts.app.tooLong(source.file, source.text.length / 1e6, TEXT_AT_MOST / 1e6));
        // A worker tries it first: a file that traps, or never ends, does so there.
        this.store.set({ busy });
        const robot = { source, q: null };
        const pending = this.engine.call({ robot, method: "live", args: [], timeout: TRIAL, urgent: true });
        this.trial = { pending, busy };
        await pending.promise;
        if (turn !== this.loads) return false;
      }
      const bench = this.engine.make(source);
      const before = stay ? this.store.get().live?.q : undefined;
      let part: Pick<State, "robot" | "sketch" | "live">;
      try {
        const robot = JSON.parse(bench.info()) as RobotInfo;
        if (before?.length === robot.joints.length) bench.set_q(Float64Array.from(before));
        part = {
          robot,
          sketch: JSON.parse(bench.sketch()) as Sketch,
          live: JSON.parse(bench.live()) as Live,
        };
      } catch (error) {
        bench.free();
        throw error;
      }
      this.dispossess();
      this.engine.cancelAll();
      this.held?.free();
      this.held = bench;
      this.liveCost = 0;
      if (stay) this.view.keepCamera();
      const { revision } = this.store.get();
      this.store.set({ ...part, source, revision: revision + 1, resistance: "", joint: null, motion: null, owner: "hand" });
      this.store.flush(); // the scene and the panels take it up now: what the caller draws next is not wiped with the old robot
      for (const warning of part.robot!.warnings.slice(0, 3)) if (!quietly) this.toast(describe(warning), "warning");
      this.say(texts.app.loaded(part.robot!.name));
      return true;
    } catch (error) {
      if (turn !== this.loads || error instanceof Cancelled) return false; // another robot was asked for meanwhile
      this.fail(new Error(texts.app.unreadable(name, message(error))));
      this.mend(error);
      return false;
    } finally {
      if (turn === this.loads) this.store.done(busy);
    }
  }

  setPose(pose: ArrayLike<number>): string {
    return this.move(() => this.bench().set_pose(finite(pose)));
  }
  setDrives(drives: ArrayLike<number>): string {
    return this.move(() => this.bench().set_drives(finite(drives)));
  }
  setJoint(index: number, value: number): string {
    return this.move(() => this.bench().set_joint(index, finite([value])[0]));
  }
  setQ(q: ArrayLike<number>): string {
    return this.move(() => this.bench().set_q(finite(q)));
  }
  setMotion(v: ArrayLike<number>, a: ArrayLike<number>): void {
    this.move(() => {
      this.bench().set_motion(finite(v), finite(a));
      this.store.set({ motion: { v: Array.from(v), a: Array.from(a) } });
      return "";
    });
  }
  setOutput(frame: string): void {
    this.move(() => {
      this.bench().set_output(frame);
      const robot = JSON.parse(this.bench().info()) as RobotInfo;
      // The tree of a robot with loops may have other joints now: what shows them is built anew.
      const anew = robot.kind === "closed" ? { revision: this.store.get().revision + 1, joint: null } : {};
      if (robot.kind === "closed") this.view.keepCamera();
      this.store.set({ motion: null, robot, ...anew });
      return "";
    });
    this.view.clearPath();
  }
  home(): void {
    this.move(() => {
      this.bench().home();
      this.store.set({ motion: null });
      return "";
    });
  }

  /** One move of the robot on the bench: draws where it came, keeps why it stopped. */
  private move(run: () => string): string {
    let why: string;
    try {
      why = run();
    } catch (error) {
      why = message(error);
      if (error instanceof WebAssembly.RuntimeError) this.fail(error);
    }
    this.refresh();
    this.store.set({ resistance: why });
    return why;
  }

  refresh(): void {
    if (this.store.get().owner !== "hand") return;
    try {
      const sketch = this.sketch();
      this.store.set({ sketch });
      const now = performance.now();
      clearTimeout(this.liveTimer);
      if (this.liveCost > SLOW && now - this.liveAt < 8 * this.liveCost) {
        this.liveTimer = window.setTimeout(() => this.refresh(), 8 * this.liveCost);
        return;
      }
      const live = this.live();
      this.liveAt = performance.now();
      this.liveCost = 0.7 * this.liveCost + 0.3 * (this.liveAt - now);
      this.store.set({ live });
    } catch (error) {
      this.fail(error);
    }
  }

  /** After a trap the module's memory cannot be trusted: a new instance, the same robot as the page shows it: output, pose and assumed motion. */
  private mend(error: unknown): void {
    if (!(error instanceof WebAssembly.RuntimeError)) return;
    const { source, robot, live, motion, owner } = this.store.get();
    this.engine.restart();
    this.held = null;
    if (!source || !robot) return;
    try {
      const bench = (this.held = this.engine.make(source));
      if (bench.output() !== robot.output) bench.set_output(robot.output);
      if (live) bench.set_q(Float64Array.from(live.q));
      if (motion) bench.set_motion(Float64Array.from(motion.v), Float64Array.from(motion.a));
      if (owner === "hand") this.store.set({ sketch: this.sketch(), live: this.live() });
    } catch (again) {
      this.toast(message(again), "error");
      if (again instanceof WebAssembly.RuntimeError) this.startOver(source);
    }
  }

  /** Its state traps again and again: the robot as its file has it. */
  private startOver(source: Source): void {
    this.engine.restart();
    this.held = null;
    try {
      this.held = this.engine.make(source);
      this.store.set({ motion: null, robot: { ...this.robot(), output: this.held.output() }, sketch: this.sketch(), live: this.live() });
    } catch (again) {
      this.toast(message(again), "error");
    }
  }

  take(owner: string, lost: () => void): void {
    this.dispossess();
    this.lost = lost;
    this.store.set({ owner });
  }
  give(owner: string): void {
    if (this.store.get().owner !== owner) return;
    this.lost = null;
    this.store.set({ owner: "hand" });
    this.refresh();
  }
  private dispossess(): void {
    const { lost } = this;
    this.lost = null;
    lost?.();
  }
  present(sketch: Sketch, live: Live | null): void {
    this.store.set(live ? { sketch, live } : { sketch });
  }

  say(text: string): void {
    this.shell.live.textContent = text;
    this.shell.status.textContent = text;
  }
  fail(error: unknown): void {
    console.warn(error);
    this.toast(message(error), "error");
    this.mend(error);
  }
  tell(text: string, action?: { title: string; run(): void }): void {
    this.toast(text, "warning", action);
  }
  private toast(text: string, kind: "error" | "warning", action?: { title: string; run(): void }): void {
    const { toasts } = this.shell;
    for (const other of toasts.querySelectorAll<HTMLElement>(".toast")) if (other.dataset.text === text) other.remove();
    while (toasts.children.length >= 3) toasts.firstElementChild!.remove();
    const toast = h("div", { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status", "data-text": text }, h("p", {}, text.length > 1200 ? `${text.slice(0, 1200)} …` : text));
    if (action) toast.append(h("button", { class: "toast-action", onclick: () => (toast.remove(), action.run()) }, action.title));
    toast.append(h("button", { class: "close", "aria-label": texts.app.close, onclick: () => toast.remove() }, "×"));
    if (kind === "warning" && !action) setTimeout(() => toast.remove(), 12_000);
    toasts.append(toast);
  }
  dialog(title: string, wide = false): { body: HTMLElement; close(): void } {
    const dialog = h("dialog", { class: wide ? "dialog wide" : "dialog", "aria-label": title });
    const body = h("div", { class: "dialog-body" });
    const close = () => dialog.close();
    dialog.append(h("header", {}, h("h2", {}, title), h("button", { class: "close", "aria-label": texts.app.close, onclick: close }, "×")), body);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) close();
    });
    document.body.append(dialog);
    dialog.showModal();
    return { body, close };
  }
  download(name: string, content: Blob | string, type = "text/plain;charset=utf-8"): void {
    const url = URL.createObjectURL(typeof content === "string" ? new Blob([content], { type }) : content);
    const link = h("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 30_000);
  }

  project(point: Point): [number, number] {
    return this.view.project(point);
  }
  frameTimes(): FrameTime[] {
    return [...this.frames.times];
  }
  forgetFrameTimes(): void {
    this.frames.times.length = 0;
  }
}

/** Numbers for the library: NaN and infinities stop here. */
function finite(numbers: ArrayLike<number>): Float64Array {
  const copy = Float64Array.from(numbers);
  const bad = copy.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) throw new Error(texts.app.notFinite(bad, copy[bad]));
  return copy;
}

/** What an error says; problems of a reader line by line. */
export function message(error: unknown): string {
  if (error instanceof WebAssembly.RuntimeError) return texts.app.trapped(error.message);
  const text = error instanceof Error ? error.message : String(error);
  if (text.startsWith("[") || text.startsWith("{")) {
    try {
      const found = JSON.parse(text) as Problem[] | { problems: Problem[] };
      const problems = Array.isArray(found) ? found : found.problems;
      const errors = problems.filter((problem) => problem.severity === "error");
      return (errors.length > 0 ? errors : problems).slice(0, 6).map(describe).join("\n");
    } catch {
      // not problems: as it is
    }
  }
  return text;
}

const describe = (problem: Problem): string => (problem.line === null ? problem.message : texts.app.atLine(problem.line, problem.message));
