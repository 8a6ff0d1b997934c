/**
 * A robot in the scene, made of a Sketch: bars as cylinders, joints as signs, plates as prisms. One instanced mesh per
 * kind of part, so that a frame costs a few matrices, whatever the robot.
 */
import * as three from "three";
import type { Point, Sketch } from "../contract";
import { Lines } from "./lines";
import type { Palette } from "./palette";

const THICKNESS = { bone: 1, sleeve: 1.45, rod: 0.62, rail: 0.5, twig: 0.3 } as const;
/** Robots with more joints are drawn as lines, without signs and shadows: graphics in software would take seconds a frame. */
const SIGNS_AT_MOST = 2000;
type BarClass = keyof typeof THICKNESS;

const Y = new three.Vector3(0, 1, 0);
const a = new three.Vector3();
const b = new three.Vector3();
const middle = new three.Vector3();
const along = new three.Vector3();
const turn = new three.Quaternion();
const size = new three.Vector3();
const matrix = new three.Matrix4();

/** Geometry along y, unit length and radius. */
const unit = {
  cylinder: new three.CylinderGeometry(1, 1, 1, 16, 1, false),
  fine: new three.CylinderGeometry(1, 1, 1, 28, 1, false),
  sphere: new three.SphereGeometry(1, 20, 14),
  box: new three.BoxGeometry(2, 1, 2),
  cone: new three.ConeGeometry(1, 1, 18),
};

/** An instanced mesh that grows. */
export class Parts {
  mesh: three.InstancedMesh;
  private count = 0;
  private capacity = 16;

  constructor(
    private readonly parent: three.Object3D,
    private readonly geometry: three.BufferGeometry,
    private readonly material: three.Material,
    private readonly shadow: { parent: three.Object3D; material: three.Material } | null = null,
    private readonly coloured = false,
  ) {
    this.mesh = this.make();
  }

  private twin: three.InstancedMesh | null = null;

  private make(): three.InstancedMesh {
    const mesh = new three.InstancedMesh(this.geometry, this.material, this.capacity);
    mesh.frustumCulled = false;
    mesh.instanceMatrix.setUsage(three.DynamicDrawUsage);
    if (this.coloured) mesh.instanceColor = new three.InstancedBufferAttribute(new Float32Array(3 * this.capacity), 3);
    this.parent.add(mesh);
    if (this.shadow !== null) {
      const twin = new three.InstancedMesh(this.geometry, this.shadow.material, 1);
      twin.instanceMatrix = mesh.instanceMatrix;
      twin.frustumCulled = false;
      this.shadow.parent.add(twin);
      this.twin = twin;
    }
    return mesh;
  }

  begin(): void {
    this.count = 0;
  }
  push(m: three.Matrix4, colour?: three.Color): void {
    if (this.count === this.capacity) this.grow();
    if (colour) this.mesh.setColorAt(this.count, colour);
    this.mesh.setMatrixAt(this.count++, m);
  }
  end(): void {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    if (this.twin) {
      this.twin.count = this.count;
      this.twin.visible = this.count > 0;
    }
  }
  private grow(): void {
    const old = this.mesh;
    const oldTwin = this.twin;
    this.capacity *= 4;
    this.mesh = this.make();
    this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
    if (old.instanceColor && this.mesh.instanceColor) this.mesh.instanceColor.array.set(old.instanceColor.array);
    old.removeFromParent();
    old.dispose();
    oldTwin?.removeFromParent();
    oldTwin?.dispose();
  }
  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.dispose();
    this.twin?.removeFromParent();
    this.twin?.dispose();
  }
}

/** Matrix of a unit part along y from one point to another. */
export function between(from: three.Vector3, to: three.Vector3, radius: number): three.Matrix4 {
  along.subVectors(to, from);
  const length = along.length();
  middle.addVectors(from, to).multiplyScalar(0.5);
  if (length > 0) turn.setFromUnitVectors(Y, along.divideScalar(length));
  else turn.identity();
  return matrix.compose(middle, turn, size.set(radius, Math.max(length, 1e-9), radius));
}

/** Matrix of a unit part centred at a point with its y along a direction. */
function centred(at: Point, axis: Point, radius: number, length: number): three.Matrix4 {
  along.set(...axis);
  if (along.lengthSq() < 1e-12) along.copy(Y);
  turn.setFromUnitVectors(Y, along.normalize());
  return matrix.compose(middle.set(...at), turn, size.set(radius, length, radius));
}

/** A plate around corners, with a thickness: positions are written in place while it moves. */
class Plate {
  readonly mesh: three.Mesh;
  private corners = 0;
  constructor(
    parent: three.Object3D,
    material: three.Material,
    shadow: { parent: three.Object3D; material: three.Material } | null,
  ) {
    this.mesh = new three.Mesh(new three.BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    parent.add(this.mesh);
    if (shadow) {
      const twin = new three.Mesh(this.mesh.geometry, shadow.material);
      twin.frustumCulled = false;
      shadow.parent.add(twin);
      this.twin = twin;
    }
  }
  private twin: three.Mesh | null = null;

  update(points: Point[], thickness: number): void {
    const n = points.length;
    this.mesh.visible = n >= 3;
    if (this.twin) this.twin.visible = n >= 3;
    if (n < 3) return;
    if (n !== this.corners) this.rebuild(n);
    const centre = middle.set(0, 0, 0);
    for (const p of points) centre.add(a.set(...p));
    centre.divideScalar(n);
    // Newell's normal: corners need not lie in a plane.
    along.set(0, 0, 0);
    for (let i = 0; i < n; i++) {
      const p = points[i];
      const q = points[(i + 1) % n];
      along.x += (p[1] - q[1]) * (p[2] + q[2]);
      along.y += (p[2] - q[2]) * (p[0] + q[0]);
      along.z += (p[0] - q[0]) * (p[1] + q[1]);
    }
    along.normalize().multiplyScalar(thickness / 2);
    const positions = this.mesh.geometry.getAttribute("position") as three.BufferAttribute;
    let k = 0;
    const put = (x: number, y: number, z: number, side: number) =>
      positions.setXYZ(k++, x + side * along.x, y + side * along.y, z + side * along.z);
    for (let i = 0; i < n; i++) {
      const p = points[i];
      const q = points[(i + 1) % n];
      put(centre.x, centre.y, centre.z, 1);
      put(p[0], p[1], p[2], 1);
      put(q[0], q[1], q[2], 1);
      put(centre.x, centre.y, centre.z, -1);
      put(q[0], q[1], q[2], -1);
      put(p[0], p[1], p[2], -1);
      put(p[0], p[1], p[2], 1);
      put(p[0], p[1], p[2], -1);
      put(q[0], q[1], q[2], 1);
      put(q[0], q[1], q[2], 1);
      put(p[0], p[1], p[2], -1);
      put(q[0], q[1], q[2], -1);
    }
    positions.needsUpdate = true;
    this.mesh.geometry.computeVertexNormals();
  }
  private rebuild(n: number): void {
    this.corners = n;
    const geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(new Float32Array(12 * n * 3), 3).setUsage(three.DynamicDrawUsage));
    geometry.setAttribute("normal", new three.BufferAttribute(new Float32Array(12 * n * 3), 3).setUsage(three.DynamicDrawUsage));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    if (this.twin) this.twin.geometry = geometry;
  }
  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.removeFromParent();
    this.twin?.removeFromParent();
  }
}

export interface ModelOptions {
  palette: Palette;
  /** Ghosts have one colour and are pale. */
  ghost?: number;
  /** Where flat shadows are put. */
  shadow?: three.Object3D;
}

export class Model {
  readonly group = new three.Group();
  private bars = new Map<BarClass, Parts>();
  private signs = new Map<string, Parts>();
  private plates: { base: Plate; platform: Plate };
  private sphere: three.Mesh;
  private readonly thin: Lines;
  private materials: three.Material[] = [];
  private shadow: { parent: three.Object3D; material: three.Material } | null = null;
  /** Radius of a bone, m. */
  unit = 0.01;

  constructor(
    parent: three.Object3D,
    private readonly options: ModelOptions,
  ) {
    parent.add(this.group);
    const { palette } = options;
    if (options.shadow) {
      // Parts overlap in a flat shadow: the stencil lets each pixel darken once.
      const material = new three.MeshBasicMaterial({
        color: palette.shadow,
        transparent: true,
        opacity: 0.13,
        depthWrite: false,
        stencilWrite: true,
        stencilRef: 1,
        stencilFunc: three.NotEqualStencilFunc,
        stencilZPass: three.ReplaceStencilOp,
        side: three.DoubleSide,
      });
      this.materials.push(material);
      this.shadow = { parent: options.shadow, material };
    }
    const plate = (colour: number, opacity: number) => new Plate(this.group, this.material(colour, opacity, true), this.shadow);
    this.plates = { base: plate(palette.base, 0.92), platform: plate(palette.platform, 0.95) };
    const glass = this.material(palette.platform, 0.12);
    glass.depthWrite = false; // what is inside stays in sight
    this.sphere = new three.Mesh(unit.sphere, glass);
    this.sphere.visible = false;
    this.group.add(this.sphere);
    this.thin = new Lines(this.group, options.ghost === undefined ? 1 : 0.2);
  }

  private material(colour: number, opacity = 1, flat = false): three.Material {
    const ghost = this.options.ghost;
    const made =
      ghost === undefined
        ? new three.MeshStandardMaterial({
            color: colour,
            metalness: 0.15,
            roughness: 0.55,
            transparent: opacity < 1,
            opacity,
            flatShading: flat,
            side: flat ? three.DoubleSide : three.FrontSide,
          })
        : new three.MeshLambertMaterial({ color: ghost, transparent: true, opacity: 0.2, depthWrite: false, side: flat ? three.DoubleSide : three.FrontSide });
    this.materials.push(made);
    return made;
  }

  private bar(kind: BarClass): Parts {
    let parts = this.bars.get(kind);
    if (!parts) this.bars.set(kind, (parts = new Parts(this.group, unit.cylinder, this.material(this.options.palette[kind]), this.shadow)));
    return parts;
  }

  private sign(shape: keyof typeof unit, role: "driven" | "passive" | "closing" | "rigid"): Parts {
    const key = `${shape} ${role}`;
    let parts = this.signs.get(key);
    if (!parts) this.signs.set(key, (parts = new Parts(this.group, unit[shape], this.material(this.options.palette[role]), this.shadow)));
    return parts;
  }

  update(sketch: Sketch): void {
    const r = this.unit;
    for (const parts of this.bars.values()) parts.begin();
    for (const parts of this.signs.values()) parts.begin();
    const many = sketch.nodes.length > SIGNS_AT_MOST;
    this.drawThin(many ? sketch.bars : []);
    for (const { line, class: kind } of many ? [] : sketch.bars) {
      const parts = this.bar(kind);
      for (let i = 1; i < line.length; i++) parts.push(between(a.set(...line[i - 1]), b.set(...line[i]), r * THICKNESS[kind]));
    }
    for (const node of many ? [] : sketch.nodes) {
      const role = node.sign === "rigid" ? "rigid" : node.driven ? "driven" : node.closing ? "closing" : "passive";
      const k = node.driven ? 1.15 : 0.85;
      const [z, x] = node.axes;
      switch (node.sign) {
        case "revolute":
          this.sign("fine", role).push(centred(node.at, z, 2.3 * r * k, 4.6 * r * k));
          break;
        case "cylindrical":
          this.sign("fine", role).push(centred(node.at, z, 1.9 * r * k, 8 * r * k));
          break;
        case "prismatic":
          this.sign("box", role).push(centred(node.at, z, 1.75 * r * k, 7.5 * r * k));
          break;
        case "universal":
          this.sign("fine", role).push(centred(node.at, z, 1.1 * r * k, 5.6 * r * k));
          this.sign("fine", role).push(centred(node.at, x, 1.1 * r * k, 5.6 * r * k));
          this.sign("sphere", role).push(centred(node.at, z, 1.6 * r * k, 1.6 * r * k));
          break;
        case "spherical":
          this.sign("sphere", role).push(centred(node.at, z, 2.4 * r * k, 2.4 * r * k));
          break;
        case "rigid":
          this.sign("sphere", role).push(centred(node.at, z, 1.25 * r, 1.25 * r));
          break;
      }
    }
    for (const parts of this.bars.values()) parts.end();
    for (const parts of this.signs.values()) parts.end();
    // Base and sphere do not move: ghosts share them.
    const ghost = this.options.ghost !== undefined;
    this.plates.base.update(ghost ? [] : sketch.base, 1.1 * r);
    this.plates.platform.update(sketch.platform, 1.4 * r);
    this.sphere.visible = sketch.sphere !== null && !ghost;
    if (sketch.sphere) {
      this.sphere.position.set(...sketch.sphere.centre);
      this.sphere.scale.setScalar(sketch.sphere.radius);
    }
  }

  private drawThin(bars: Sketch["bars"]): void {
    const { ghost, palette } = this.options;
    const colour = new three.Color();
    this.thin.begin(bars.reduce((sum, { line }) => sum + Math.max(0, line.length - 1), 0));
    for (const { line, class: kind } of bars) {
      colour.set(ghost ?? palette[kind]);
      for (let i = 1; i < line.length; i++) this.thin.push(a.set(...line[i - 1]), b.set(...line[i]), colour);
    }
    this.thin.end();
  }

  platformMesh(): three.Mesh {
    return this.plates.platform.mesh;
  }

  dispose(): void {
    for (const parts of [...this.bars.values(), ...this.signs.values()]) parts.dispose();
    this.plates.base.dispose();
    this.plates.platform.dispose();
    this.thin.dispose();
    for (const material of this.materials) material.dispose();
    this.group.removeFromParent();
  }
}

export const shapes = unit;
