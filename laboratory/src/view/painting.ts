/** A map painted into the scene: one vertex per cell, rows appear as they come, layers of a volume above each other. */
import * as three from "three";
import type { Point } from "../contract";

/** Parts of 1, sRGB; without opacity a cell is left open. */
export type Colour = [red: number, green: number, blue: number, opacity: number];

const tone = new three.Color();

interface Layer {
  mesh: three.Mesh;
  have: boolean[];
  /** Numbers of the index that are in use. */
  used: number;
}

export class Painting {
  private readonly group = new three.Group();
  private layers: Layer[] = [];
  private cells = 0;
  private rows = 0;
  /** The layer that is seen alone; null: all. */
  private alone: number | null = null;

  constructor(parent: three.Object3D) {
    parent.add(this.group);
  }

  begin(cells: number, rows: number, layers = 1): void {
    this.clear();
    this.cells = cells;
    this.rows = rows;
    for (let k = 0; k < layers; k++) {
      const geometry = new three.BufferGeometry();
      geometry.setAttribute("position", new three.BufferAttribute(new Float32Array(3 * cells * rows), 3));
      geometry.setAttribute("color", new three.BufferAttribute(new Float32Array(4 * cells * rows), 4));
      geometry.setIndex(new three.BufferAttribute(new Uint32Array(6 * (cells - 1) * (rows - 1)), 1));
      geometry.setDrawRange(0, 0);
      const material = new three.MeshBasicMaterial({ vertexColors: true, transparent: true, opacity: layers > 1 ? 0.35 : 0.6, side: three.DoubleSide, depthWrite: false });
      const mesh = new three.Mesh(geometry, material);
      mesh.frustumCulled = false;
      this.group.add(mesh);
      this.layers.push({ mesh, have: Array<boolean>(rows).fill(false), used: 0 });
    }
    this.only(this.alone);
  }

  row(row: number, points: Point[], colours: Colour[], layer = 0): void {
    const held = this.layers[layer];
    if (!held) return;
    const { position, color } = held.mesh.geometry.attributes as Record<string, three.BufferAttribute>;
    for (let i = 0; i < this.cells; i++) {
      const [red, green, blue, opacity] = colours[i];
      tone.setRGB(red, green, blue, three.SRGBColorSpace); // the legend is drawn in sRGB, vertices are linear
      color.setXYZW(row * this.cells + i, tone.r, tone.g, tone.b, opacity);
      position.setXYZ(row * this.cells + i, ...(points[i] ?? [0, 0, 0]));
    }
    position.needsUpdate = color.needsUpdate = true;
    held.have[row] = true;
    if (row > 0 && held.have[row - 1]) this.join(held, row - 1);
    if (row + 1 < this.rows && held.have[row + 1]) this.join(held, row);
    const { geometry } = held.mesh;
    geometry.index!.needsUpdate = true;
    geometry.setDrawRange(0, held.used);
  }

  /** Shows one layer of the volume, or all. */
  only(layer: number | null): void {
    this.alone = layer;
    this.layers.forEach(({ mesh }, k) => (mesh.visible = layer === null || layer === k || this.layers.length === 1));
  }

  clear(): void {
    for (const { mesh } of this.layers) {
      mesh.geometry.dispose();
      (mesh.material as three.Material).dispose();
    }
    this.layers = [];
    this.group.clear();
  }

  /** The cells between a row and the next; those with a corner that has no colour stay open. */
  private join(layer: Layer, row: number): void {
    const { color } = layer.mesh.geometry.attributes as Record<string, three.BufferAttribute>;
    const index = layer.mesh.geometry.index!.array;
    for (let i = 0; i + 1 < this.cells; i++) {
      const k = row * this.cells + i;
      const [right, above, across] = [k + 1, k + this.cells, k + this.cells + 1];
      if ([k, right, above, across].some((corner) => color.getW(corner) === 0)) continue;
      index.set([k, right, above, right, across, above], layer.used);
      layer.used += 6;
    }
  }
}
