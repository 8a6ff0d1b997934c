/** Visual meshes that were dropped with a robot, each on its frame. */
import * as three from "three";
import type { RobotInfo, Sketch } from "../contract";

export class MeshLayer {
  private readonly group = new three.Group();
  private readonly holders: { frame: string; holder: three.Group }[] = [];
  private named: RobotInfo["meshes"] = [];
  /** Files that were dropped, by their base names; they stay for the next robot that names them. */
  private readonly files = new Map<string, three.Object3D>();

  constructor(parent: three.Object3D) {
    parent.add(this.group);
  }

  /** A mesh file; returns whether the robot on the bench names it. */
  give(file: string, object: three.Object3D): boolean {
    this.files.set(base(file), object);
    this.attach();
    return this.named.some((mesh) => base(mesh.file) === base(file));
  }

  /** Files that the robot names and nobody gave, by their base names. */
  missing(): string[] {
    return [...new Set(this.named.map((mesh) => base(mesh.file)))].filter((file) => !this.files.has(file));
  }

  /** The meshes that a new robot names. */
  reset(named: RobotInfo["meshes"]): void {
    this.named = named;
    this.attach();
  }

  /** Whether every mesh that the robot names is here, so that the sketch need not be drawn. */
  covers(): boolean {
    return this.holders.length > 0 && this.holders.length === this.named.length;
  }

  private attach(): void {
    this.group.clear();
    this.holders.length = 0;
    for (const { frame, file, scale, pose } of this.named) {
      const mesh = this.files.get(base(file));
      if (!mesh) continue;
      const holder = new three.Group();
      const copy = mesh.clone();
      copy.scale.multiply(new three.Vector3(...scale));
      const place = new three.Group();
      place.position.set(pose[0], pose[1], pose[2]);
      place.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
      place.add(copy);
      holder.add(place);
      this.group.add(holder);
      this.holders.push({ frame, holder });
    }
  }

  update(frames: Sketch["frames"], visible: boolean): void {
    this.group.visible = visible;
    if (this.holders.length === 0) return;
    const poses = new Map(frames.map(({ name, pose }) => [name, pose]));
    for (const { frame, holder } of this.holders) {
      const pose = poses.get(frame);
      holder.visible = pose !== undefined;
      if (!pose) continue;
      holder.position.set(pose[0], pose[1], pose[2]);
      holder.quaternion.set(pose[3], pose[4], pose[5], pose[6]);
    }
  }
}

/** A file's name without its folders, in lower case: how meshes are matched. */
export const base = (file: string) => file.split(/[\\/]/).pop()!.toLowerCase();
