/** The scene, as other modules see it; `scene.ts` makes it. */
import type { Group } from "three";
import type { Point, Sketch } from "../contract";
import type { Palette } from "./palette";
import type { MeshLayer } from "./meshes";
import type { Painting } from "./painting";

export interface Camera {
  position: Point;
  target: Point;
}

/** What lies under the pointer. */
export interface Hit {
  point: Point;
  /** Index into sketch.nodes, or null. */
  node: number | null;
  /** Whether it is the platform, the tool or a bar: "platform", "bar", "node". */
  part: "platform" | "bar" | "node";
}

/** Gets a press on the robot before the hand does; `down` returns whether it takes the drag. */
export interface PointerHook {
  down(hit: Hit, event: PointerEvent): boolean;
  /** The pointer's place in the plane through the hit, facing the camera. */
  move(point: Point, event: PointerEvent): void;
  up(event: PointerEvent): void;
}

export interface View {
  readonly canvas: HTMLCanvasElement;
  /** Colours, light or dark. */
  readonly palette: Palette;
  /** A map in the scene; cleared when another robot comes. */
  readonly painting: Painting;
  /** Visual meshes that were dropped with a robot. */
  readonly meshes: MeshLayer;
  /** Ask for a new picture. */
  redraw(): void;
  /** CSS pixels from the page's upper left corner. */
  project(point: Point): [number, number];
  camera(): Camera;
  setCamera(camera: Camera): void;
  /** Puts the camera so that the robot fills the view. */
  fit(): void;
  /** A group for a module's own objects, made on first use; cleared when another robot comes. */
  layer(name: string): Group;
  clearLayer(name: string): void;
  /** Another configuration of the robot, pale; null removes it. `colour` as CSS. */
  ghost(id: string, sketch: Sketch | null, colour?: string): void;
  clearGhosts(prefix?: string): void;
  /** A polyline in base axes; null removes it. */
  line(id: string, points: Point[] | null, colour?: string): void;
  /** An arrow from a point along a vector that is already scaled to m; null removes it. */
  arrow(id: string, at: Point | null, along?: Point, colour?: string): void;
  /** Of the arrows of reactions: N and N m per m shown, and how long they are at most, m; null before there is one. */
  reactionScale(): { force: number; moment: number; longest: number } | null;
  /** Forgets the drawn path of the tool. */
  clearPath(): void;
  hook(hook: PointerHook): () => void;
  /** The picture as PNG, `scale` times the size on the screen. */
  png(scale?: number): Promise<Blob>;
  /** The sketch as SVG as the camera sees it. */
  svg(): string;
}
