/** Trajectories through taught points: teach, order, a time law, preview, and a law that follows. */
import type { Point, Trajectory, TrajectoryRequest } from "../contract";
import type { Lab } from "../app/lab";
import { h, number, write } from "../app/dom";
import { button, choice, field, row } from "../app/fields";
import { texts as all } from "../app/texts";
import { Cancelled, type Pending } from "../engine/engine";
import { section, tick, tool, type Part } from "./parts";
import { ofTrajectory } from "./run";
import type { Runner } from "./runner";

const texts = all.motion;

interface Taught {
  q: number[];
  pose: number[];
}

/** Rows of a trajectory: enough that a picture of it is smooth. */
const SAMPLES = 301;
const LONGEST = 3600; // s
const PATIENCE = 120_000; // ms
/** Arms of the cross at a taught point, in sizes of the robot. */
const MARK = 0.02;

export class Teach implements Part {
  readonly element: HTMLElement;
  private points: Taught[] = [];
  private law: TrajectoryRequest["law"] = "quintic";
  private duration = 2;
  private byLimits = false;
  private made: Trajectory | null = null;
  private pending: Pending<Trajectory> | null = null;
  private revision = -1;
  private marks = 0;
  private readonly list = h("ol", { id: "taught", class: "taught" });
  private readonly count = h("p", { class: "hint" });
  private readonly telling = h("p", { id: "trajectory-result", class: "motion-result" });
  private readonly buttons: Record<"compute" | "stop" | "follow" | "takeAway" | "forget", HTMLButtonElement>;

  constructor(
    private readonly lab: Lab,
    private readonly runner: Runner,
  ) {
    const duration = field("trajectory-duration", this.duration, { min: 1e-3, max: LONGEST }, (value) => {
      this.duration = value;
      this.changed();
    });
    const fast = tick("trajectory-limits", texts.byLimits, this.byLimits, (on) => {
      this.byLimits = duration.disabled = on;
      this.changed();
    });
    const law = choice("trajectory-law", Object.entries(texts.timeLaws), this.law, (value) => {
      this.law = value as TrajectoryRequest["law"];
      this.changed();
    });
    this.buttons = {
      compute: button("trajectory-compute", texts.compute, () => void this.compute()),
      stop: button("trajectory-stop", texts.stop, () => this.pending?.cancel()),
      follow: button("trajectory-follow", texts.follow, () => this.follow()),
      takeAway: button("trajectory-drop", texts.takeAway, () => this.runner.change({ reference: null })),
      forget: button("trajectory-forget", texts.forget, () => this.forget()),
    };
    this.buttons.compute.classList.add("primary");
    this.element = section(
      "trajectory-part",
      texts.trajectory,
      false,
      h("div", { class: "buttons" }, button("teach", texts.teach, () => this.teach()), this.buttons.forget),
      this.count,
      this.list,
      row(texts.timeLaw, law),
      row(texts.duration, duration, "s"),
      fast.element,
      h("div", { class: "buttons" }, this.buttons.compute, this.buttons.stop, this.buttons.follow, this.buttons.takeAway),
      this.telling,
    );
    this.showPoints();
  }

  update(): void {
    const { revision } = this.lab.state();
    if (revision !== this.revision) {
      this.revision = revision;
      this.points = [];
      this.marks = 0; // the view has forgotten them already
      this.outdated();
      this.showPoints();
    }
    const { compute, stop, follow, takeAway, forget } = this.buttons;
    const following = this.runner.options.reference !== null;
    compute.hidden = this.pending !== null;
    stop.hidden = this.pending === null;
    compute.disabled = this.points.length < 2;
    compute.title = compute.disabled ? texts.needTwo : "";
    follow.disabled = this.made === null || !this.lab.state().robot?.drives.some((drive) => drive.driven);
    takeAway.hidden = !following;
    forget.disabled = this.points.length === 0;
  }

  private teach(): void {
    const { live } = this.lab.state();
    if (live === null) return;
    this.points.push({ q: [...live.q], pose: [...live.pose] });
    this.lab.say(texts.taught(this.points.length));
    this.changed();
  }

  private forget(): void {
    this.points = [];
    this.changed();
  }

  private changed(): void {
    this.outdated();
    this.showPoints();
    this.update();
  }

  /** What was computed is no longer what is asked for. */
  private outdated(): void {
    this.pending?.cancel();
    this.made = null;
    this.telling.className = "motion-result";
    write(this.telling, "");
    this.lab.view.line("trajectory", null);
  }

  private showPoints(): void {
    write(this.count, texts.points(this.points.length));
    const swap = (k: number, other: number): void => {
      [this.points[k], this.points[other]] = [this.points[other]!, this.points[k]!];
      this.changed();
    };
    this.list.replaceChildren(
      ...this.points.map((point, k) => {
        const [x, y, z] = point.pose.map((metres) => metres.toFixed(3).replace("-", "−"));
        const up = tool(`taught-${k}-up`, "M12 19V6M6 12l6-6 6 6", texts.earlier(k), () => swap(k, k - 1));
        const down = tool(`taught-${k}-down`, "M12 5v13M6 12l6 6 6-6", texts.later(k), () => swap(k, k + 1));
        const away = tool(`taught-${k}-remove`, "M6 6l12 12M18 6L6 18", texts.removePoint(k), () => {
          this.points.splice(k, 1);
          this.changed();
        });
        const go = button(`taught-${k}-go`, texts.goTo, () => this.go(point), texts.goToPoint(k));
        up.disabled = k === 0;
        down.disabled = k === this.points.length - 1;
        return h("li", {}, h("span", { class: "taught-place" }, texts.place(x!, y!, z!)), go, up, down, away);
      }),
    );
    this.mark();
  }

  private go(point: Taught): void {
    this.runner.finish();
    const why = this.lab.setQ(point.q);
    if (why !== "") this.lab.say(why);
  }

  /** A cross at every point. */
  private mark(): void {
    const arm = MARK * (this.lab.state().robot?.size ?? 1);
    this.points.forEach(({ pose: [x, y, z] }, k) => {
      const at: Point = [x!, y!, z!];
      const line: Point[] = [0, 1, 2].flatMap((axis) => [at, shifted(at, axis, -arm), shifted(at, axis, arm)]);
      this.lab.view.line(`taught-${k}`, [...line, at]);
    });
    for (let k = this.points.length; k < this.marks; k++) this.lab.view.line(`taught-${k}`, null);
    this.marks = this.points.length;
  }

  private async compute(): Promise<void> {
    const robot = this.lab.robot();
    const of = robot.kind === "tree" ? "joints" : "pose";
    const request: TrajectoryRequest = {
      points: this.points.map((point) => (of === "joints" ? point.q : point.pose)),
      of,
      law: this.law,
      duration: this.byLimits ? null : this.duration,
      samples: SAMPLES,
    };
    const pending = this.lab.engine.ask<Trajectory>("trajectory", [JSON.stringify(request)], PATIENCE);
    this.pending = pending;
    this.lab.store.set({ busy: texts.computing });
    this.update();
    try {
      const made = await pending.promise;
      this.made = made;
      this.tell(made);
      this.lab.view.line("trajectory", made.pose.map(([x, y, z]) => [x!, y!, z!]));
      this.runner.replay(ofTrajectory(robot, made, texts.preview));
    } catch (error) {
      if (!(error instanceof Cancelled)) this.lab.fail(error);
    } finally {
      this.pending = null;
      this.lab.store.done(texts.computing);
      this.update();
    }
  }

  private tell(made: Trajectory): void {
    const { drives } = this.lab.robot();
    let largest = { size: 0, drive: 0 };
    for (const row of made.tau) row.forEach((tau, drive) => Math.abs(tau) > largest.size && (largest = { size: Math.abs(tau), drive }));
    const drive = drives[largest.drive];
    const torque = drive ? `${number(largest.size, 3)} ${drive.unit} (${drive.name})` : "–";
    this.telling.className = made.limit === null ? "motion-result good" : "motion-result bad";
    const text = texts.withinLimits(made.t.at(-1) ?? 0, torque, made.limit === null);
    write(this.telling, made.limit === null ? text : `${texts.limitPassed(made.limit)} ${text}`);
    this.lab.say(this.telling.textContent ?? "");
  }

  /** From the first point, under the chosen law, or computed torque where that follows nothing. */
  private follow(): void {
    if (this.made === null) return;
    const { law } = this.runner.options;
    this.runner.finish();
    this.lab.setQ(this.made.q[0]!);
    this.runner.change({ reference: this.made, law: law === "hold-pd" ? law : "computed-torque" });
    this.runner.play();
  }
}

function shifted(at: Point, axis: number, by: number): Point {
  const moved: Point = [...at];
  moved[axis]! += by;
  return moved;
}
