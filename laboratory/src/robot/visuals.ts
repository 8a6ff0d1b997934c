/**
 * Visual meshes that SDF and MJCF files name: the library reads those of URDF, and of the others what dynamics needs.
 * Poses are those of the mesh in its link's frame.
 */
import { Euler, Quaternion, Vector3 } from "three";
import type { RobotInfo } from "../contract";
import { radians } from "../app/dom";

type MeshReference = RobotInfo["meshes"][number];

const MESHES_AT_MOST = 2000;

export function visuals(robot: RobotInfo): RobotInfo["meshes"] {
  if (robot.meshes.length > 0) return robot.meshes;
  if (!/^\s*</.test(robot.text) || !robot.text.includes("mesh")) return [];
  const root = new DOMParser().parseFromString(robot.text, "application/xml").documentElement;
  const read = { sdf, mujoco: mjcf }[root.tagName];
  return read ? read(root).slice(0, MESHES_AT_MOST) : [];
}

/** The children of an element with a name; only its own, because links may lie in links. */
const own = (element: Element, name: string): Element[] => [...element.children].filter((child) => child.tagName === name);
const first = (element: Element | undefined, name: string): Element | undefined => element && own(element, name)[0];

/** So many numbers from a text, or the default. */
function numbers(text: string | null | undefined, otherwise: number[]): number[] {
  const found = (text ?? "").trim().split(/\s+/).map(Number);
  return found.length === otherwise.length && found.every(Number.isFinite) ? found : otherwise;
}
const scaleOf = (text: string | null | undefined) => numbers(text, [1, 1, 1]) as [number, number, number];

function pose(place: number[], [roll, pitch, yaw]: number[]): number[] {
  return [...place, ...new Quaternion().setFromEuler(new Euler(roll, pitch, yaw, "ZYX")).toArray()];
}

function sdf(root: Element): MeshReference[] {
  return [...root.querySelectorAll("link")].flatMap((link) =>
    own(link, "visual").flatMap((visual) => {
      const mesh = first(first(visual, "geometry"), "mesh");
      const file = first(mesh, "uri")?.textContent?.trim();
      if (!mesh || !file) return [];
      const at = numbers(first(visual, "pose")?.textContent, [0, 0, 0, 0, 0, 0]);
      return [{ frame: link.getAttribute("name") ?? "", file, scale: scaleOf(first(mesh, "scale")?.textContent), pose: pose(at.slice(0, 3), at.slice(3)) }];
    }),
  );
}

function mjcf(root: Element): MeshReference[] {
  const inDegrees = first(root, "compiler")?.getAttribute("angle") !== "radian";
  const assets = new Map<string, { file: string; scale: [number, number, number] }>();
  for (const mesh of root.querySelectorAll("asset > mesh")) {
    const file = mesh.getAttribute("file");
    const name = mesh.getAttribute("name") ?? file?.replace(/^.*[\\/]|\.[^.]*$/g, "");
    if (file && name) assets.set(name, { file, scale: scaleOf(mesh.getAttribute("scale")) });
  }
  return [...root.querySelectorAll("body > geom[mesh]")].flatMap((geom) => {
    const asset = assets.get(geom.getAttribute("mesh")!);
    if (!asset || geom.getAttribute("class")?.includes("collision")) return [];
    const place = numbers(geom.getAttribute("pos"), [0, 0, 0]);
    return [{ frame: geom.parentElement!.getAttribute("name") ?? "", ...asset, pose: [...place, ...turn(geom, inDegrees).toArray()] }];
  });
}

/** The orientation of a geom: quaternion with w first, Euler angles about moved axes, or axis and angle. */
function turn(geom: Element, inDegrees: boolean): Quaternion {
  const angle = (x: number) => (inDegrees ? radians(x) : x);
  const euler = geom.getAttribute("euler");
  const axis = geom.getAttribute("axisangle");
  if (euler !== null) {
    const [x, y, z] = numbers(euler, [0, 0, 0]).map(angle);
    return new Quaternion().setFromEuler(new Euler(x, y, z, "XYZ"));
  }
  if (axis !== null) {
    const [x, y, z, by] = numbers(axis, [0, 0, 1, 0]);
    return new Quaternion().setFromAxisAngle(new Vector3(x, y, z).normalize(), angle(by));
  }
  const [w, x, y, z] = numbers(geom.getAttribute("quat"), [1, 0, 0, 0]);
  return new Quaternion(x, y, z, w).normalize();
}
