/** What is drawn around the robot: frames, path, arrows, ellipsoids, centre of mass. */
import * as three from "three";
import type { Live, Point, Sketch } from "../contract";
import { Parts, between, shapes } from "./model";
import type { Palette } from "./palette";

const from = new three.Vector3();
const to = new three.Vector3();
const tip = new three.Vector3();
const q = new three.Quaternion();
const axis = new three.Vector3();

const AXES = [new three.Color(0xd62728), new three.Color(0x2a9134), new three.Color(0x2f6fe0)];

/** Axes of the named frames, as thin bars. */
export class FrameAxes {
  private parts: Parts;
  constructor(parent: three.Object3D) {
    this.parts = new Parts(parent, shapes.cylinder, new three.MeshBasicMaterial(), null, true);
  }
  update(frames: Sketch["frames"], length: number, visible: boolean): void {
    this.parts.begin();
    if (visible)
      for (const { pose } of frames) {
        from.set(pose[0], pose[1], pose[2]);
        q.set(pose[3], pose[4], pose[5], pose[6]);
        for (let k = 0; k < 3; k++) {
          axis.set(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0).applyQuaternion(q);
          to.copy(from).addScaledVector(axis, length);
          this.parts.push(between(from, to, length * 0.028), AXES[k]);
        }
      }
    this.parts.end();
  }
}

/** The path of the tool: the last points it went through. */
export class Path {
  private static readonly LENGTH = 6000;
  private readonly positions = new Float32Array(3 * Path.LENGTH);
  private count = 0;
  readonly object: three.Line;
  constructor(parent: three.Object3D, colour: number) {
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(this.positions, 3).setUsage(three.DynamicDrawUsage));
    this.object = new three.Line(geometry, new three.LineBasicMaterial({ color: colour }));
    this.object.frustumCulled = false;
    parent.add(this.object);
  }
  push(x: number, y: number, z: number, step: number): void {
    const k = 3 * this.count;
    if (this.count > 0) {
      const moved = Math.hypot(x - this.positions[k - 3], y - this.positions[k - 2], z - this.positions[k - 1]);
      if (!(moved > step)) return;
    }
    if (this.count === Path.LENGTH) {
      const kept = Path.LENGTH / 2;
      this.positions.copyWithin(0, 3 * (Path.LENGTH - kept));
      this.count = kept;
    }
    this.positions.set([x, y, z], 3 * this.count++);
    this.object.geometry.setDrawRange(0, this.count);
    this.object.geometry.attributes.position.needsUpdate = true;
  }
  clear(): void {
    this.count = 0;
    this.object.geometry.setDrawRange(0, 0);
  }
  colour(value: number): void {
    (this.object.material as three.LineBasicMaterial).color.set(value);
  }
}

/** Arrows of one colour each: shafts and heads. */
export class Arrows {
  private shafts: Parts;
  private heads: Parts;
  constructor(parent: three.Object3D) {
    const material = new three.MeshLambertMaterial({ depthTest: false, transparent: true }); // forces lie inside of the legs that they load
    this.shafts = new Parts(parent, shapes.cylinder, material, null, true);
    this.heads = new Parts(parent, shapes.cone, material, null, true);
  }
  begin(): void {
    this.shafts.begin();
    this.heads.begin();
  }
  push(at: Point, along: Point, radius: number, colour: three.Color): void {
    const length = Math.hypot(...along);
    if (!(length > 4 * radius) || !Number.isFinite(length)) return;
    const head = Math.min(length * 0.45, 7 * radius);
    from.set(...at);
    tip.set(at[0] + along[0], at[1] + along[1], at[2] + along[2]);
    to.copy(tip).sub(from).multiplyScalar((length - head) / length).add(from);
    this.shafts.push(between(from, to, radius), colour);
    this.heads.push(between(to, tip, 2.6 * radius), colour);
  }
  end(): void {
    this.shafts.end();
    this.heads.end();
  }
}

/** An ellipsoid by its principal half axes. */
export class Ellipsoid {
  readonly object: three.Mesh;
  private edge: three.LineSegments;
  constructor(parent: three.Object3D, colour: number) {
    this.object = new three.Mesh(
      new three.SphereGeometry(1, 28, 18),
      new three.MeshLambertMaterial({ color: colour, transparent: true, opacity: 0.22, depthWrite: false }),
    );
    const circles: number[] = [];
    for (let k = 0; k < 3; k++)
      for (let i = 0; i < 48; i++)
        for (const j of [i, i + 1]) {
          const point = [0, 0, 0];
          point[k] = Math.cos((j * Math.PI) / 24);
          point[(k + 1) % 3] = Math.sin((j * Math.PI) / 24);
          circles.push(...point);
        }
    const geometry = new three.BufferGeometry().setAttribute("position", new three.Float32BufferAttribute(circles, 3));
    this.edge = new three.LineSegments(geometry, new three.LineBasicMaterial({ color: colour, transparent: true, opacity: 0.7 }));
    this.object.add(this.edge);
    this.object.matrixAutoUpdate = false;
    this.object.frustumCulled = false;
    this.edge.frustumCulled = false;
    this.object.visible = false;
    parent.add(this.object);
  }
  update(axes: Point[] | null, centre: Point, scale: number): void {
    this.object.visible = axes !== null && axes.length > 0;
    if (!axes || !this.object.visible) return;
    const columns = axes.slice(0, 3).map((p) => new three.Vector3(...p).multiplyScalar(scale));
    const longest = Math.max(...columns.map((c) => c.length()), 1e-9);
    while (columns.length < 3) columns.push(new three.Vector3());
    // A flat ellipsoid keeps a little thickness, across the others.
    for (let k = 0; k < 3; k++)
      if (columns[k].length() < 1e-3 * longest) {
        const u = columns[(k + 1) % 3];
        const v = columns[(k + 2) % 3];
        columns[k].crossVectors(u, v);
        if (columns[k].lengthSq() < 1e-30) columns[k].set(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0);
        columns[k].setLength(2e-3 * longest);
      }
    this.object.matrix.makeBasis(columns[0], columns[1], columns[2]).setPosition(...centre);
    this.object.matrixWorldNeedsUpdate = true;
  }
  colour(value: number): void {
    (this.object.material as three.MeshLambertMaterial).color.set(value);
    (this.edge.material as three.LineBasicMaterial).color.set(value);
  }
}

/** Longest arrow, and the lever by which a moment is drawn like a force, in sizes of the robot. */
const LONGEST = 0.8;
const LEVER = 0.5;

/** Reactions, centre of mass and ellipsoids from `live`. */
export class LiveSigns {
  private arrows: Arrows;
  private ball: three.Mesh;
  private velocity: Ellipsoid;
  private force: Ellipsoid;
  /** m per unit, fixed for a robot at its first numbers, so that growing means growing. */
  private scales = { reaction: 0, velocity: 0, force: 0 };
  constructor(
    parent: three.Object3D,
    private palette: Palette,
  ) {
    this.arrows = new Arrows(parent);
    this.velocity = new Ellipsoid(parent, palette.velocity);
    this.force = new Ellipsoid(parent, palette.force);
    this.ball = new three.Mesh(shapes.sphere, new three.MeshBasicMaterial({ map: checker(), depthTest: false, transparent: true, opacity: 0.9 }));
    this.ball.rotation.x = Math.PI / 2;
    this.ball.renderOrder = 5;
    this.ball.visible = false;
    parent.add(this.ball);
  }
  reset(): void {
    this.scales = { reaction: 0, velocity: 0, force: 0 };
  }
  repaint(palette: Palette): void {
    this.palette = palette;
    this.velocity.colour(palette.velocity);
    this.force.colour(palette.force);
  }
  reactionScale(size: number): { force: number; moment: number; longest: number } | null {
    const { reaction } = this.scales;
    return reaction === 0 ? null : { force: 1 / reaction, moment: (LEVER * size) / reaction, longest: LONGEST * size };
  }
  update(live: Live | null, shown: { reactions: boolean; com: boolean; velocities: boolean; forces: boolean }, robot: { size: number; mass: number; gravity: Point }): void {
    const { size } = robot;
    this.arrows.begin();
    if (shown.reactions && live?.reactions) {
      if (this.scales.reaction === 0) {
        const weight = robot.mass * Math.hypot(...robot.gravity);
        const largest = Math.max(0, ...live.reactions.map((r) => Math.hypot(...r.force)));
        const unit = weight > 0 ? weight : largest;
        this.scales.reaction = unit > 0 ? (0.3 * size) / unit : 0;
      }
      const force = new three.Color(this.palette.force);
      const moment = new three.Color(this.palette.moment);
      const draw = (at: Point, value: Point, k: number, colour: three.Color) => {
        const length = Math.hypot(...value) * k;
        const s = length > LONGEST * size ? (k * LONGEST * size) / length : k;
        this.arrows.push(at, [value[0] * s, value[1] * s, value[2] * s], 0.0045 * size, colour);
      };
      for (const { at, force: f, moment: m } of live.reactions) {
        draw(at, f, this.scales.reaction, force);
        draw(at, m, this.scales.reaction / (LEVER * size), moment);
      }
    }
    this.arrows.end();
    this.ball.visible = shown.com && live?.com != null;
    if (live?.com) {
      this.ball.position.set(...live.com);
      this.ball.scale.setScalar(0.022 * size);
    }
    const centre: Point = live ? [live.pose[0], live.pose[1], live.pose[2]] : [0, 0, 0];
    for (const [key, ellipsoid, on] of [
      ["velocity", this.velocity, shown.velocities],
      ["force", this.force, shown.forces],
    ] as const) {
      const axes = on && live?.ellipsoids ? live.ellipsoids[key] : null;
      const longest = axes && axes.length > 0 ? Math.max(...axes.map((p) => Math.hypot(...p))) : 0;
      if (this.scales[key] === 0 && longest > 0) this.scales[key] = (0.22 * size) / longest;
      const scale = longest * this.scales[key] > 0.7 * size ? (0.7 * size) / longest : this.scales[key];
      ellipsoid.update(Number.isFinite(longest) && longest > 0 ? axes : null, centre, scale);
    }
  }
}

/** The sign of a centre of mass: quarters of a ball, black and white. */
function checker(): three.Texture {
  const data = new Uint8Array(8 * 4 * 4);
  for (let y = 0; y < 4; y++)
    for (let x = 0; x < 8; x++) {
      const on = (Math.floor(x / 2) + Math.floor(y / 2)) % 2 === 0 ? 20 : 245;
      data.set([on, on, on, 255], 4 * (8 * y + x));
    }
  const texture = new three.DataTexture(data, 8, 4);
  texture.needsUpdate = true;
  return texture;
}
