/**
 * The hand that holds the robot: gizmo, platform or a joint's sign. Pointer events only say where it should go; the robot
 * moves once a frame, by the library, so that loops stay closed and a slow robot skips places instead of lagging behind.
 */
import { Vector3 } from "three";
import { h, write } from "../app/dom";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import type { Point } from "../contract";
import type { Scene } from "../view/scene";
import type { Hit } from "../view/view";
import { chosen, free, jointPull, roll, slide, type Free } from "./pull";
import { jointValue, outputValue } from "./words";

const texts = all.hand;

/** What a drag does with the pointer's place. */
type Drag = (point: Point) => void;

export class Hand {
  private next: (() => string) | null = null;
  private readonly task: { start(): void };
  private drag: Drag | null = null;
  private held: "output" | "joint" | null = null;
  private resists = false;
  private hovered: number | null = null;
  private pointer: [number, number] = [0, 0];
  private missed: Point | null = null;
  /** The frame that is held at first, of the robot with this revision. */
  private first = { revision: -1, output: "" };
  private readonly bubble = h("div", { class: "hand-bubble", hidden: true, "aria-hidden": "true" });

  constructor(
    private readonly lab: Lab,
    private readonly scene: Scene,
  ) {
    this.task = lab.frames.add(() => {
      this.move();
      return false;
    });
    const { gizmo, canvas } = scene;
    canvas.parentElement!.append(this.bubble);
    gizmo.addEventListener("mouseDown", () => this.take("output"));
    gizmo.addEventListener("objectChange", () => this.pull(() => lab.setPose(this.wanted())));
    gizmo.addEventListener("mouseUp", () => this.release());
    scene.handHook = {
      down: (hit) => this.down(hit),
      move: (point) => this.drag?.(point),
      up: () => this.release(),
    };
    scene.onHover = (node) => this.hover(node);
    scene.onMiss = () => (this.missed = scene.camera().position);
    const track = (event: PointerEvent) => (this.pointer = [event.clientX, event.clientY]);
    canvas.addEventListener("pointerdown", track, { capture: true });
    canvas.addEventListener("pointermove", track, { capture: true });
    canvas.addEventListener("pointerleave", () => this.hover(null));
    canvas.addEventListener("pointerup", () => this.missedUp());
    // The gizmo itself does not know that a browser may take a touch away.
    canvas.addEventListener("pointercancel", () => gizmo.dragging && gizmo.pointerUp(null));
    lab.store.subscribe(["revision"], ({ gizmo: mode }) => {
      this.tip("", false);
      const { move, turn } = this.free();
      if (mode === "translate" && move.length === 0 && turn.length > 0) lab.store.set({ gizmo: "rotate" }); // a wrist only turns
      if (mode === "rotate" && turn.length === 0) lab.store.set({ gizmo: "translate" });
    });
    lab.store.subscribe(["gizmo", "owner", "robot"], () => this.dress());
    lab.store.subscribe(["sketch", "owner", "robot"], () => this.follow());
    lab.store.subscribe(["resistance"], ({ resistance }) => {
      if (this.held === null) this.show(resistance);
    });
  }

  /** Asks for a move in the next frame; only the last one asked for is made. */
  pull(move: () => string): void {
    this.next = move;
    this.task.start();
  }

  /** One move now, from the keyboard or a field, and what came of it in words. */
  step(move: () => string, said: () => string): void {
    if (this.lab.state().owner !== "hand") return this.lab.say(texts.notYours);
    const why = move();
    this.lab.say(why === "" ? said() : texts.stopped(said(), why));
  }

  home(): void {
    this.step(() => (this.lab.home(), ""), () => texts.wentHome);
  }

  /** Back to where the drag began, without letting go. */
  cancel(): void {
    if (this.scene.gizmo.dragging) this.scene.gizmo.reset();
  }

  choose(joint: number | null): void {
    this.lab.store.set({ joint });
  }

  /** What the output can choose. Freedoms are those of the frame that is held at first; of another one nothing is known. */
  free(): Free {
    const { robot, revision } = this.lab.state();
    if (!robot) return { move: [], turn: [] };
    // Here, not in a subscription: a panel may ask before the hand's turn comes.
    if (this.first.revision !== revision) this.first = { revision, output: robot.output };
    return free(robot.output === this.first.output ? robot : { ...robot, freedoms: [] });
  }

  private wanted(): number[] {
    const { position, quaternion } = this.scene.target;
    return chosen(position, quaternion, this.lab.bench().pose(), this.free());
  }

  private move(): void {
    const { next } = this;
    this.next = null;
    if (next) this.show(next());
  }

  private take(what: "output" | "joint"): void {
    this.held = what;
    this.hover(null);
    this.scene.canvas.dataset.held = what;
  }

  private release(): void {
    if (this.held === null) return;
    this.move(); // the last place of the pointer counts
    const { joint } = this.lab.state();
    const said = this.held === "joint" && joint !== null ? jointValue(this.lab, joint) : outputValue(this.lab);
    const why = this.lab.state().resistance;
    this.lab.say(why === "" ? said : texts.stopped(said, why));
    this.held = null;
    this.drag = null;
    delete this.scene.canvas.dataset.held;
    this.calm();
    this.follow();
    this.dress();
  }

  private down(hit: Hit): boolean {
    const { owner, sketch, robot, gizmo } = this.lab.state();
    if (owner !== "hand" || !sketch || !robot) return false;
    const node = hit.node === null ? null : sketch.nodes[hit.node];
    const eye = this.scene.camera().position;
    const start = new Vector3(...hit.point);
    if (node && node.joint !== null) {
      const index = node.joint;
      this.choose(index);
      this.take("joint");
      const begun = this.lab.bench().q()[index];
      const pull = jointPull(robot.joints[index].type === "prismatic", node.at, node.axes[0], eye, 0.11 * this.scene.scale());
      this.drag = (point) => {
        const value = begun + pull(point);
        this.scene.target.position.set(...point); // the far end of the line that shows resistance
        this.pull(() => this.lab.setJoint(index, value));
      };
      this.dress();
      return true;
    }
    if (hit.part !== "platform") return false;
    this.choose(null);
    this.take("output");
    const { position, quaternion } = this.scene.target;
    const [from, turn] = [position.clone(), quaternion.clone()];
    const axes = this.free();
    const turns = axes.move.length === 0 || (gizmo === "rotate" && axes.turn.length > 0);
    const arm = Math.max(start.distanceTo(from), 0.1 * this.scene.scale());
    this.drag = (point) => {
      const way = new Vector3(...point).sub(start);
      const sight = new Vector3(...point).sub(new Vector3(...eye));
      if (turns) quaternion.copy(turn).premultiply(roll(way, sight, axes.turn, arm));
      else position.copy(from).add(slide(way, sight, axes.move));
      this.pull(() => this.lab.setPose(this.wanted()));
    };
    return true;
  }

  /** A click beside the robot, not a turn of the camera, lets the chosen joint go. */
  private missedUp(): void {
    const before = this.missed;
    this.missed = null;
    if (before && this.scene.camera().position.every((x, k) => x === before[k])) this.choose(null);
  }

  /** The gizmo stands where the output is, unless the hand holds it elsewhere. */
  private follow(): void {
    const { owner, robot } = this.lab.state();
    if (this.held !== null || owner !== "hand" || !robot) return;
    const pose = this.lab.bench().pose();
    this.scene.target.position.set(pose[0], pose[1], pose[2]);
    this.scene.target.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
    this.scene.target.updateMatrixWorld();
  }

  /** Handles for the directions that exist; none while somebody else moves the robot. */
  private dress(): void {
    const { owner, gizmo: mode } = this.lab.state();
    const { gizmo } = this.scene;
    if (owner !== "hand" && this.held !== null) {
      this.next = null;
      if (gizmo.dragging) gizmo.pointerUp(null);
      else this.release();
    }
    const axes = this.free()[mode === "translate" ? "move" : "turn"];
    gizmo.enabled = owner === "hand" && axes.length > 0;
    gizmo.getHelper().visible = gizmo.enabled && this.held !== "joint";
    gizmo.setMode(mode);
    [gizmo.showX, gizmo.showY, gizmo.showZ] = (["x", "y", "z"] as const).map((axis) => axes.includes(axis));
    gizmo.showXYZE = gizmo.showE = axes.length === 3; // rings around no axis of the base
    this.scene.redraw();
  }

  private show(why: string): void {
    if (why === "") return this.calm();
    const { joint, sketch } = this.lab.state();
    const node = this.held === "joint" ? sketch?.nodes.find((node) => node.joint === joint) : undefined;
    const pose = this.lab.bench().pose();
    this.scene.resist(node?.at ?? [pose[0], pose[1], pose[2]]);
    if (!this.resists) this.lab.say(why);
    this.resists = true;
    if (this.held !== null) this.tip(why, true);
  }

  private calm(): void {
    if (!this.resists) return;
    this.resists = false;
    this.scene.resist(null);
    this.tip("", false);
  }

  private hover(node: number | null): void {
    if (node === this.hovered && node === null) return;
    this.hovered = node;
    if (this.held !== null || this.resists) return;
    const { sketch } = this.lab.state();
    const of = node === null ? undefined : sketch?.nodes[node];
    this.tip(of && of.joint !== null ? jointValue(this.lab, of.joint) : "", false);
  }

  /** Words beside the pointer. */
  private tip(text: string, bad: boolean): void {
    this.bubble.hidden = text === "";
    if (text === "") return;
    write(this.bubble, text);
    this.bubble.classList.toggle("bad", bad);
    const box = this.scene.canvas.getBoundingClientRect();
    const x = Math.max(4, Math.min(this.pointer[0] - box.left + 16, box.width - 240));
    const y = Math.max(4, Math.min(this.pointer[1] - box.top + 18, box.height - 64));
    this.bubble.style.transform = `translate(${x.toFixed(0)}px, ${y.toFixed(0)}px)`;
  }
}
