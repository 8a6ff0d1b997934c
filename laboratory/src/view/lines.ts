/** Line segments in one object. */
import * as three from "three";

/** Coloured lines whose number changes. */
export class Lines {
  readonly object: three.LineSegments<three.BufferGeometry, three.LineBasicMaterial>;
  private capacity = 0;
  private count = 0;
  constructor(parent: three.Object3D, opacity = 1) {
    this.object = new three.LineSegments(
      new three.BufferGeometry(),
      new three.LineBasicMaterial({ vertexColors: true, transparent: opacity < 1, opacity }),
    );
    this.object.frustumCulled = false;
    parent.add(this.object);
  }
  begin(segments: number): void {
    this.count = 0;
    if (segments > this.capacity) {
      this.capacity = Math.max(64, 2 * segments);
      const geometry = new three.BufferGeometry();
      for (const name of ["position", "color"])
        geometry.setAttribute(name, new three.BufferAttribute(new Float32Array(6 * this.capacity), 3).setUsage(three.DynamicDrawUsage));
      this.object.geometry.dispose();
      this.object.geometry = geometry;
    }
  }
  push(p: three.Vector3, r: three.Vector3, colour: three.Color): void {
    const { position, color } = this.object.geometry.attributes as Record<string, three.BufferAttribute>;
    for (const point of [p, r]) {
      position.setXYZ(this.count, point.x, point.y, point.z);
      color.setXYZ(this.count++, colour.r, colour.g, colour.b);
    }
  }
  end(): void {
    this.object.visible = this.count > 0;
    if (this.capacity === 0) return;
    this.object.geometry.setDrawRange(0, this.count);
    this.object.geometry.attributes.position.needsUpdate = true;
    this.object.geometry.attributes.color.needsUpdate = true;
  }
  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.object.removeFromParent();
  }
}
