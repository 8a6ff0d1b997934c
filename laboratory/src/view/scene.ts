/** The scene with three.js: z up, drawn only when something changed. */
import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import { texts } from "../app/texts";
import type { Frames } from "../app/frames";
import type { State, Store } from "../app/store";
import type { Point, RobotInfo, Sketch } from "../contract";
import { AxisWidget } from "./axes";
import { drawSvg } from "./drawing";
import { Arrows, FrameAxes, LiveSigns, Path } from "./extras";
import { GravitySign } from "./gravity";
import { Labels } from "./labels";
import { Lines } from "./lines";
import { MeshLayer } from "./meshes";
import { Model, Parts, between, shapes } from "./model";
import { Painting } from "./painting";
import { css, dark, light, type Palette } from "./palette";
import { FROM } from "./picture";
import type { Camera, Hit, PointerHook, View } from "./view";

const FARTHEST = 1e6; // of the robot's size: cameras beyond it are no views of it
const REACH = 16; // px within which a joint is taken; twice that with a finger

export class Scene implements View {
  readonly canvas: HTMLCanvasElement;
  readonly gizmo: TransformControls;
  /** What the gizmo moves: where the hand wants the output to be. */
  readonly target = new three.Object3D();
  readonly painting: Painting;
  readonly meshes: MeshLayer;
  /** The hand gets presses that no other module took. */
  handHook: PointerHook | null = null;
  /** A press beside the robot. */
  onMiss: () => void = () => {};
  /** The joint under the pointer, or null. */
  onHover: (node: number | null) => void = () => {};
  palette: Palette = light;
  robot: RobotInfo | null = null;

  private renderer: three.WebGLRenderer | null = null;
  private readonly scene = new three.Scene();
  private readonly eye = new three.PerspectiveCamera(38, 1, 0.01, 100);
  private readonly orbit: OrbitControls;
  private readonly world = new three.Group();
  private readonly shadows = new three.Group();
  private readonly overlay = new three.Group();
  private readonly ground = new three.Group();
  private readonly frameAxes: FrameAxes;
  private readonly path: Path;
  private readonly signs: LiveSigns;
  private readonly arrowParts: Arrows;
  private readonly dial: Lines;
  private readonly spring: Parts;
  private readonly labels: Labels;
  private readonly gravity: GravitySign;
  private readonly widget: AxisWidget;
  private readonly layers = new Map<string, three.Group>();
  private readonly ghosts = new Map<string, { model: Model; sketch: Sketch; colour: string | undefined }>();
  private readonly lines = new Map<string, three.Line>();
  private readonly arrows = new Map<string, { at: Point; along: Point; colour: string }>();
  private readonly hooks: PointerHook[] = [];
  private model!: Model;
  private sketch: Sketch | null = null;
  private state: Readonly<State> | null = null;
  private lost = false;
  /** From where the whole robot is looked at, until somebody moves the camera: then a new size of the view keeps it whole. */
  private whole: Point | null = null;
  private cameraStays = false;

  constructor(
    private readonly host: HTMLElement,
    private readonly frames: Frames,
    store: Store,
  ) {
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", texts.view.canvas);
    host.prepend(this.canvas);
    // Before the controls, so that a press on the robot does not turn the camera.
    this.canvas.addEventListener("pointerdown", (event) => this.pointerDown(event));
    this.canvas.addEventListener("pointermove", (event) => this.pointerMove(event));
    for (const name of ["pointerup", "pointercancel"] as const) this.canvas.addEventListener(name, (event) => this.pointerUp(event));
    try {
      this.renderer = new three.WebGLRenderer({ canvas: this.canvas, antialias: true, stencil: true, powerPreference: "low-power" });
      this.renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
      this.renderer.extensions.get("WEBGL_lose_context"); // for "draw again": once a context is lost it has no extensions
    } catch {
      this.message(texts.view.noWebgl);
    }
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
      this.message(texts.view.lost, () => (this.renderer?.forceContextRestore(), undefined));
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.lost = false;
      this.message("");
      this.redraw();
    });

    this.eye.up.set(0, 0, 1);
    this.orbit = new OrbitControls(this.eye, this.canvas);
    this.orbit.enableDamping = false;
    this.orbit.addEventListener("change", () => this.redraw());
    this.orbit.addEventListener("start", () => (this.whole = null));
    this.gizmo = new TransformControls(this.eye, this.canvas);
    this.gizmo.addEventListener("change", () => this.redraw());
    this.gizmo.addEventListener("dragging-changed", (event) => (this.orbit.enabled = !event.value));
    this.gizmo.attach(this.target);

    const sun = new three.DirectionalLight(0xffffff, 2.1);
    sun.position.set(0.5, 0.8, 1.6); // over the viewer's right shoulder
    this.eye.add(sun, sun.target);
    const sky = new three.HemisphereLight(0xffffff, 0xaab3bd, 1.6);
    sky.position.set(0, 0, 1);
    this.scene.add(this.eye, sky, this.target);
    this.scene.add(this.ground, this.shadows, this.world, this.overlay, this.gizmo.getHelper());
    this.frameAxes = new FrameAxes(this.world);
    this.path = new Path(this.world, light.path);
    this.painting = new Painting(this.world);
    this.signs = new LiveSigns(this.overlay, light);
    this.arrowParts = new Arrows(this.overlay);
    this.dial = new Lines(this.overlay);
    this.spring = new Parts(this.overlay, shapes.cylinder, new three.MeshBasicMaterial({ depthTest: false, transparent: true }), null, true);
    this.meshes = new MeshLayer(this.world);
    this.labels = new Labels(host);
    this.gravity = new GravitySign(this.overlay, host);
    this.widget = new AxisWidget(host, (direction) => this.look(direction));
    this.makeModel();

    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    store.subscribe(["sketch", "live", "shown", "revision", "joint", "theme"], (state, changed) => {
      if (changed.has("revision")) this.newRobot(state);
      this.show(state);
    });
  }

  // ---- what other modules use ----

  redraw(): void {
    this.frames.request();
  }

  project(point: Point): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    this.eye.updateMatrixWorld();
    const p = new three.Vector3(...point).project(this.eye);
    return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height];
  }

  camera(): Camera {
    return { position: this.eye.position.toArray(), target: this.orbit.target.toArray() };
  }

  setCamera(camera: Camera): void {
    const numbers = [...camera.position, ...camera.target];
    const farthest = FARTHEST * this.scale();
    if (!numbers.every((x) => Math.abs(x) <= farthest)) return; // nor NaN
    // From nowhere or in no direction: single precision of the graphics sees none.
    const distance = Math.hypot(...camera.position.map((x, k) => x - camera.target[k]!));
    if (distance > 1e-7 * Math.max(this.scale(), ...numbers.map(Math.abs))) this.place(camera);
  }

  private place(camera: Camera): void {
    this.whole = null;
    this.eye.position.set(...camera.position);
    this.orbit.target.set(...camera.target);
    this.orbit.update();
    this.redraw();
  }

  /** The next robot comes under the camera as it stands: it is the same one, edited. */
  keepCamera(): void {
    this.cameraStays = true;
  }

  fit(): void {
    this.look(FROM);
  }

  /** Looks at the robot's middle from a direction. */
  look(direction: Point): void {
    if (!this.robot) return;
    const box = this.bounds();
    const half = Math.tan((this.eye.fov * Math.PI) / 360) * Math.min(1, this.eye.aspect);
    const radius = Math.max(0.6 * box.getSize(new three.Vector3()).length(), 0.2 * this.scale());
    const centre = box.getCenter(new three.Vector3());
    const from = new three.Vector3(...direction).normalize().multiplyScalar((1.08 * radius) / half);
    // Straight down the vertical is where an orbit has no direction.
    if (Math.hypot(from.x, from.y) < 1e-6) from.y = -1e-4 * from.length();
    this.place({ position: centre.clone().add(from).toArray(), target: centre.toArray() });
    this.whole = direction;
  }

  layer(name: string): three.Group {
    let group = this.layers.get(name);
    if (!group) {
      this.layers.set(name, (group = new three.Group()));
      this.overlay.add(group);
    }
    return group;
  }

  clearLayer(name: string): void {
    const group = this.layers.get(name);
    if (!group) return;
    group.traverse((object) => {
      if (object instanceof three.Mesh || object instanceof three.Line || object instanceof three.Points) {
        object.geometry.dispose();
        for (const material of [object.material].flat()) material.dispose();
      }
    });
    group.clear();
    this.redraw();
  }

  ghost(id: string, sketch: Sketch | null, colour?: string): void {
    let held = this.ghosts.get(id);
    if (sketch === null) {
      held?.model.dispose();
      this.ghosts.delete(id);
    } else {
      if (!held || held.colour !== colour) {
        held?.model.dispose();
        held = { model: this.makeGhost(colour), sketch, colour };
        this.ghosts.set(id, held);
      }
      held.sketch = sketch;
      held.model.unit = this.bone() * 0.85;
      held.model.update(sketch);
      held.model.group.visible = this.state?.shown.ghosts ?? true;
    }
    this.redraw();
  }

  clearGhosts(prefix = ""): void {
    for (const id of [...this.ghosts.keys()]) if (id.startsWith(prefix)) this.ghost(id, null);
  }

  line(id: string, points: Point[] | null, colour?: string): void {
    let line = this.lines.get(id);
    if (points === null) {
      line?.removeFromParent();
      line?.geometry.dispose();
      this.lines.delete(id);
    } else {
      if (!line) {
        line = new three.Line(new three.BufferGeometry(), new three.LineBasicMaterial({ depthTest: false, transparent: true })); // also inside of the robot
        line.renderOrder = 1;
        line.frustumCulled = false;
        this.lines.set(id, line);
        this.overlay.add(line);
      }
      line.geometry.dispose();
      line.geometry = new three.BufferGeometry().setFromPoints(points.map((p) => new three.Vector3(...p)));
      (line.material as three.LineBasicMaterial).color.set(colour ?? this.palette.path);
    }
    this.redraw();
  }

  arrow(id: string, at: Point | null, along: Point = [0, 0, 0], colour?: string): void {
    if (at === null) this.arrows.delete(id);
    else this.arrows.set(id, { at, along, colour: colour ?? css(this.palette.force) });
    this.arrowParts.begin();
    for (const arrow of this.arrows.values()) this.arrowParts.push(arrow.at, arrow.along, 0.006 * this.scale(), new three.Color(arrow.colour));
    this.arrowParts.end();
    this.redraw();
  }

  clearPath(): void {
    this.path.clear();
    this.redraw();
  }

  hook(hook: PointerHook): () => void {
    this.hooks.unshift(hook);
    return () => void this.hooks.splice(this.hooks.indexOf(hook), 1);
  }

  png(scale = 1): Promise<Blob> {
    const renderer = this.renderer;
    if (!renderer || this.lost) return Promise.reject(new Error(texts.view.noPicture));
    const ratio = renderer.getPixelRatio();
    const helper = this.gizmo.getHelper();
    const shown = helper.visible;
    try {
      helper.visible = false;
      renderer.setPixelRatio(Math.min(ratio * scale, 8));
      renderer.render(this.scene, this.eye);
      return new Promise((resolve, reject) =>
        this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(texts.view.noPicture))), "image/png"),
      );
    } finally {
      helper.visible = shown;
      renderer.setPixelRatio(ratio);
      this.redraw();
    }
  }

  svg(): string {
    const { width, height } = this.canvas.getBoundingClientRect();
    return drawSvg(this.sketch, this.robot?.name ?? "", this.eye, width, height, this.palette, this.bone());
  }

  // ---- what the page uses ----

  setTheme(name: "light" | "dark"): void {
    this.palette = name === "dark" ? dark : light;
    this.path.colour(this.palette.path);
    this.signs.repaint(this.palette);
    this.makeModel();
    for (const [id, { sketch, colour }] of [...this.ghosts]) {
      this.ghost(id, null);
      this.ghost(id, sketch, colour);
    }
    this.makeGround();
    if (this.state) this.show(this.state);
    this.redraw();
  }

  /** Largest length of the robot, m. */
  scale(): number {
    const size = this.robot?.size ?? 1;
    return Number.isFinite(size) && size > 0 ? size : 1;
  }

  reactionScale(): { force: number; moment: number; longest: number } | null {
    return this.signs.reactionScale(this.scale());
  }

  /** The gizmo as it should look: at rest, or where it cannot go on. */
  resist(here: Point | null): void {
    const red = this.palette.resist;
    if (here) this.gizmo.setColors(red, red, red, red);
    else this.gizmo.setColors(0xd62728, 0x2a9134, 0x2f6fe0, this.palette.select);
    this.spring.begin();
    if (here) {
      const from = new three.Vector3(...here);
      const at = (i: number) => from.clone().lerp(this.target.position, i / 24);
      const colour = new three.Color(red);
      for (let i = 0; i < 24; i += 2) this.spring.push(between(at(i), at(i + 1), 0.25 * this.bone()), colour);
    }
    this.spring.end();
    this.canvas.dataset.resists = here ? "yes" : "no";
    this.redraw();
  }

  render(): void {
    if (this.renderer && !this.lost) this.renderer.render(this.scene, this.eye);
    this.widget.update(this.eye);
    this.labels.update(this.state?.shown.names ? this.sketch : null, (point) => this.project(point), this.canvas);
    this.gravity.update((point) => this.project(point), this.canvas);
  }

  private show(state: Readonly<State>): void {
    this.state = state;
    const { sketch, live, shown, robot } = state;
    if (!sketch || !robot) return;
    this.sketch = sketch;
    this.model.update(sketch);
    this.model.group.visible = !(shown.meshes && this.meshes.covers());
    this.meshes.update(sketch.frames, shown.meshes);
    this.frameAxes.update(sketch.frames, 0.07 * this.scale(), shown.frames);
    this.signs.update(live, shown, { size: this.scale(), mass: robot.mass, gravity: robot.gravity });
    if (live && live.pose.length >= 3) this.path.push(live.pose[0], live.pose[1], live.pose[2], 0.002 * this.scale());
    this.path.object.visible = shown.path;
    this.ground.visible = this.shadows.visible = shown.grid;
    if (this.gravity.on !== shown.gravity) {
      this.gravity.on = shown.gravity;
      this.makeGround();
    }
    for (const { model } of this.ghosts.values()) model.group.visible = shown.ghosts;
    this.showDial(state);
    if (state.owner !== "hand") this.follow();
    this.redraw();
  }

  /** A robot that moves by itself stays in sight, until somebody moves the camera. */
  private follow(): void {
    if (!this.whole) return;
    const { min, max } = this.bounds();
    this.eye.updateMatrixWorld();
    for (let k = 0; k < 8; k++) {
      const corner = new three.Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
      const { x, y, z } = corner.project(this.eye);
      if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) > 1) return this.look(this.whole);
    }
  }

  private newRobot(state: Readonly<State>): void {
    this.robot = state.robot;
    this.sketch = state.sketch;
    for (const id of [...this.ghosts.keys()]) this.ghost(id, null);
    for (const id of [...this.lines.keys()]) this.line(id, null);
    for (const name of this.layers.keys()) this.clearLayer(name);
    this.arrows.clear();
    this.arrow("", null);
    this.path.clear();
    this.painting.clear();
    this.signs.reset();
    this.resist(null);
    this.makeModel();
    this.meshes.reset(state.robot?.meshes ?? []);
    const scale = this.scale();
    this.eye.near = 0.01 * scale;
    this.eye.far = 60 * scale;
    this.eye.updateProjectionMatrix();
    this.orbit.minDistance = 0.1 * scale;
    this.orbit.maxDistance = 30 * scale;
    this.makeGround();
    if (!this.cameraStays) this.fit();
    this.cameraStays = false;
  }

  private bone(): number {
    return 0.0105 * this.scale();
  }

  private makeModel(): void {
    this.model?.dispose();
    this.model = new Model(this.world, { palette: this.palette, shadow: this.shadows });
    this.model.unit = this.bone();
    if (this.sketch) this.model.update(this.sketch);
  }

  private makeGhost(colour?: string): Model {
    return new Model(this.world, { palette: this.palette, ghost: colour ? new three.Color(colour).getHex() : this.palette.ghost });
  }

  private bounds(): three.Box3 {
    const box = new three.Box3();
    const add = (p: Point) => {
      if (p.every(Number.isFinite)) box.expandByPoint(new three.Vector3(...p));
    };
    for (const { line } of this.sketch?.bars ?? []) line.forEach(add);
    for (const { at } of this.sketch?.nodes ?? []) add(at);
    this.sketch?.platform.forEach(add);
    this.sketch?.base.forEach(add);
    if (box.isEmpty()) add(this.robot?.middle ?? [0, 0, 0]);
    return box;
  }

  /** A grid under the robot, with lines a round length apart, the plane that shadows fall on, and which way gravity pulls. */
  private makeGround(): void {
    for (const object of this.ground.children as three.Mesh[]) {
      object.geometry.dispose();
      (object.material as three.Material).dispose();
    }
    this.ground.clear();
    const scale = this.scale();
    const bounds = this.bounds();
    const floor = Math.min(0, bounds.min.z) - 1.2 * this.bone();
    const step = 10 ** Math.floor(Math.log10(0.25 * scale));
    const cell = [5, 2, 1].map((k) => k * step).find((length) => length <= 0.26 * scale) ?? step;
    const centre = bounds.getCenter(new three.Vector3());
    const x = Math.round(centre.x / cell) * cell;
    const y = Math.round(centre.y / cell) * cell;
    const cells = Math.ceil((1.6 * scale) / cell);
    const positions: number[] = [];
    const colours: number[] = [];
    const near = new three.Color(this.palette.grid);
    const far = new three.Color(this.palette.background);
    const colour = new three.Color();
    const push = (i: number, j: number) => {
      positions.push(x + i * cell, y + j * cell, floor);
      colour.lerpColors(near, far, Math.min(1, Math.hypot(i, j) / cells)).toArray(colours, colours.length);
    };
    for (let i = -cells; i <= cells; i++)
      for (let j = -cells; j < cells; j++) {
        push(i, j), push(i, j + 1);
        push(j, i), push(j + 1, i);
      }
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.Float32BufferAttribute(positions, 3));
    geometry.setAttribute("color", new three.Float32BufferAttribute(colours, 3));
    this.ground.add(new three.LineSegments(geometry, new three.LineBasicMaterial({ vertexColors: true })));
    this.shadows.matrixAutoUpdate = false;
    this.shadows.matrix.makeScale(1, 1, 0).setPosition(0, 0, floor + 0.05 * this.bone());
    this.shadows.matrixWorldNeedsUpdate = true;
    this.gravity.place(this.robot?.gravity ?? [0, 0, 0], bounds, floor, scale, this.palette.bone);
    this.scene.background = new three.Color(this.palette.background);
    this.host.dataset.cell = String(cell);
  }

  /** Around the chosen joint: a circle or a line with its limits and where it stands. */
  private showDial(state: Readonly<State>): void {
    const { joint, robot, live, sketch } = state;
    const node = joint === null ? undefined : sketch?.nodes.find((node) => node.joint === joint);
    const info = joint === null ? undefined : robot?.joints[joint];
    if (!node || !info || !live || !robot) {
      this.dial.begin(0);
      this.dial.end();
      return;
    }
    const value = live.q[joint!];
    const centre = new three.Vector3(...node.at);
    const axis = new three.Vector3(...node.axes[0]).normalize();
    const inside = new three.Color(this.palette.select);
    const outside = new three.Color(this.palette.resist);
    const mark = new three.Color(this.palette.driven);
    const allowed = (x: number) => (info.lower === null || x >= info.lower) && (info.upper === null || x <= info.upper);
    this.dial.begin(80);
    if (info.type === "prismatic") {
      const reach = 0.5 * this.scale();
      const lower = Math.max(info.lower ?? value - reach, value - 2 * reach);
      const upper = Math.min(info.upper ?? value + reach, value + 2 * reach);
      const at = (x: number) => centre.clone().addScaledVector(axis, x - value);
      this.dial.push(at(lower), at(upper), inside);
    } else {
      const radius = 0.11 * this.scale();
      const u = new three.Vector3(Math.abs(axis.z) < 0.9 ? 0 : 1, 0, Math.abs(axis.z) < 0.9 ? 1 : 0).cross(axis).normalize();
      const v = axis.clone().cross(u);
      const at = (x: number, k = 1) =>
        centre.clone().addScaledVector(u, k * radius * Math.cos(x)).addScaledVector(v, k * radius * Math.sin(x));
      for (let i = 0; i < 72; i++) {
        const x = ((i - 36) / 36) * Math.PI;
        this.dial.push(at(x), at(x + Math.PI / 36), allowed(x + Math.PI / 72) ? inside : outside);
      }
      this.dial.push(at(value, 0.25), at(value, 1.12), mark);
      for (const limit of [info.lower, info.upper])
        if (limit !== null && Math.abs(limit) < Math.PI) this.dial.push(at(limit, 0.86), at(limit, 1.12), outside);
    }
    this.dial.end();
  }

  // ---- pointer ----

  /** `off`: from where the pointer came down to what it hit, so that nothing jumps into its place. */
  private drag: { hook: PointerHook; plane: three.Plane; id: number; off: three.Vector3 } | null = null;

  private ray(event: PointerEvent): three.Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const at = new three.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    const caster = new three.Raycaster();
    caster.setFromCamera(at, this.eye);
    return caster;
  }

  /** What is under the pointer: joints first, within reach of a finger, then the platform, then bars. */
  pick(event: PointerEvent): Hit | null {
    if (!this.sketch) return null;
    const reach = event.pointerType === "touch" ? 2 * REACH : REACH;
    let best: { node: number; distance: number } | null = null;
    this.sketch.nodes.forEach((node, k) => {
      if (node.joint === null) return;
      const [x, y] = this.project(node.at);
      const distance = Math.hypot(x - event.clientX, y - event.clientY);
      if (distance < reach && (best === null || distance < best.distance)) best = { node: k, distance };
    });
    const found = best as { node: number; distance: number } | null;
    if (found) return { point: this.sketch.nodes[found.node].at, node: found.node, part: "node" };
    // The output itself, where it is no plate: the end of a five-bar, a tool.
    const [x, y] = this.project(this.target.position.toArray());
    if (this.gizmo.enabled && Math.hypot(x - event.clientX, y - event.clientY) < reach) return { point: this.target.position.toArray(), node: null, part: "platform" };
    const mesh = this.model.platformMesh();
    if (mesh.visible && this.sketch.platform.length >= 3) {
      mesh.geometry.boundingSphere = null;
      const hit = this.ray(event).intersectObject(mesh)[0];
      if (hit) return { point: hit.point.toArray(), node: null, part: "platform" };
    }
    for (const { line } of this.sketch.bars)
      for (let i = 1; i < line.length; i++) {
        const [ax, ay] = this.project(line[i - 1]);
        const [bx, by] = this.project(line[i]);
        const long = (bx - ax) ** 2 + (by - ay) ** 2;
        const t = long > 0 ? Math.min(1, Math.max(0, ((event.clientX - ax) * (bx - ax) + (event.clientY - ay) * (by - ay)) / long)) : 0;
        if (Math.hypot(ax + t * (bx - ax) - event.clientX, ay + t * (by - ay) - event.clientY) < reach / 2) {
          const [p, q] = [line[i - 1], line[i]];
          return { point: [0, 1, 2].map((k) => p[k] + t * (q[k] - p[k])) as Point, node: null, part: "bar" };
        }
      }
    return null;
  }

  /** Whether the gizmo takes this press. */
  private gizmoTakes(event: PointerEvent): boolean {
    if (!this.gizmo.enabled || !this.gizmo.getHelper().visible) return false;
    const box = this.canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    this.gizmo.pointerHover({ x, y, button: event.button } as unknown as PointerEvent);
    return this.gizmo.axis !== null;
  }

  private pointerDown(event: PointerEvent): void {
    if (event.button !== 0 || this.drag || !event.isPrimary) return;
    if (this.gizmoTakes(event)) return;
    const hit = this.pick(event);
    if (!hit) return this.onMiss();
    for (const hook of [...this.hooks, ...(this.handHook ? [this.handHook] : [])])
      if (hook.down(hit, event)) {
        event.stopImmediatePropagation();
        this.canvas.focus({ preventScroll: true });
        this.canvas.setPointerCapture(event.pointerId);
        const facing = this.eye.getWorldDirection(new three.Vector3());
        const plane = new three.Plane().setFromNormalAndCoplanarPoint(facing, new three.Vector3(...hit.point));
        const down = this.ray(event).ray.intersectPlane(plane, new three.Vector3());
        const off = new three.Vector3(...hit.point).sub(down ?? new three.Vector3(...hit.point));
        this.drag = { hook, plane, id: event.pointerId, off };
        return;
      }
  }

  private pointerMove(event: PointerEvent): void {
    if (this.drag) {
      if (event.pointerId !== this.drag.id) return;
      const point = this.ray(event).ray.intersectPlane(this.drag.plane, new three.Vector3());
      if (point) this.drag.hook.move(point.add(this.drag.off).toArray(), event);
      return;
    }
    if (event.pointerType !== "mouse" || event.buttons !== 0) return;
    const hit = this.pick(event);
    this.canvas.style.cursor = hit && hit.part !== "bar" ? "grab" : "";
    this.onHover(hit?.node ?? null);
  }

  private pointerUp(event: PointerEvent): void {
    if (!this.drag || event.pointerId !== this.drag.id) return;
    const { hook } = this.drag;
    this.drag = null;
    hook.up(event);
  }

  private resize(): void {
    const width = Math.max(this.host.clientWidth, 1);
    const height = Math.max(this.host.clientHeight, 1);
    this.renderer?.setSize(width, height, false);
    this.eye.aspect = width / height;
    // In pixels about the same in every view, larger under a finger.
    this.gizmo.size = (matchMedia("(pointer: coarse)").matches ? 0.95 : 0.75) * Math.min(3, Math.max(1, 620 / height));
    this.eye.updateProjectionMatrix();
    if (this.whole) this.look(this.whole);
    this.redraw();
  }

  private message(text: string, retry?: () => void): void {
    let box = this.host.querySelector<HTMLElement>(".view-message");
    if (text === "") return box?.remove();
    if (!box) {
      box = document.createElement("div");
      box.className = "view-message";
      box.setAttribute("role", "alert");
      this.host.append(box);
    }
    box.textContent = text;
    if (retry) {
      const button = document.createElement("button");
      button.textContent = texts.view.restore;
      button.onclick = retry;
      box.append(button);
    }
  }
}
