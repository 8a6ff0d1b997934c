/** Visual meshes from dropped files: glTF, STL, OBJ, Collada. All from bytes in hand: the page may fetch nothing. */
import * as three from "three";
import { ColladaLoader } from "three/addons/loaders/ColladaLoader.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { OBJLoader } from "three/addons/loaders/OBJLoader.js";
import { STLLoader } from "three/addons/loaders/STLLoader.js";
import { texts } from "../app/texts";
import { base } from "../view/meshes";

const READERS: Record<string, (file: File, companions: File[]) => Promise<three.Object3D>> = {
  stl: async (file) => new three.Mesh(new STLLoader().parse(await file.arrayBuffer()).deleteAttribute("normal")), // many hold zeros
  obj: async (file) => new OBJLoader().parse(await file.text()),
  dae: readCollada,
  glb: async (file, companions) => readGltf(await file.arrayBuffer(), companions),
  gltf: async (file, companions) => readGltf(await pack(await file.text(), companions), companions),
};

/** For meshes that say nothing about their colour. */
const PLAIN = new three.MeshStandardMaterial({ color: 0xaab4c0, metalness: 0.1, roughness: 0.6 });

/** The ending of a file's name, in lower case. */
export const extension = (name: string): string => /\.([^.\\/]+)$/.exec(name)?.[1].toLowerCase() ?? "";
export const isMesh = (name: string): boolean => extension(name) in READERS;

export async function readMesh(file: File, companions: File[]): Promise<three.Object3D> {
  const object = await READERS[extension(file.name)](file, companions);
  let triangles = 0;
  object.traverse((part) => {
    if (!(part instanceof three.Mesh)) return;
    const { index, attributes } = part.geometry as three.BufferGeometry;
    triangles += (index?.count ?? attributes.position?.count ?? 0) / 3;
    if (!attributes.normal && attributes.position) part.geometry.computeVertexNormals();
    if (isUnpainted(part.material)) part.material = PLAIN;
  });
  if (triangles < 1) throw new Error(texts.robot.emptyMesh);
  return object;
}

/** White without a picture is what loaders take where the file says nothing. */
function isUnpainted(material: three.Material | three.Material[]): boolean {
  if (Array.isArray(material)) return false;
  const { color, map, vertexColors } = material as three.MeshStandardMaterial;
  return color?.getHex() === 0xffffff && !map && !vertexColors;
}

/** Textures come from the files that were dropped as well, or not at all. */
function manager(companions: File[]): three.LoadingManager {
  const made = new three.LoadingManager();
  made.setURLModifier((url) => {
    if (/^(data|blob):/.test(url)) return url;
    const file = companions.find((file) => base(file.name) === base(url));
    return file ? URL.createObjectURL(file) : "data:,";
  });
  return made;
}

async function readCollada(file: File, companions: File[]): Promise<three.Object3D> {
  const read = new ColladaLoader(manager(companions)).parse(await file.text(), "");
  if (!read) throw new Error(texts.robot.emptyMesh);
  read.scene.rotation.set(0, 0, 0); // robots' files place the mesh in its own axes, whatever "up" it declares
  return read.scene;
}

function readGltf(bytes: ArrayBuffer, companions: File[]): Promise<three.Object3D> {
  const loader = new GLTFLoader(manager(companions));
  // Its loader of bitmaps fetches; an image element does not.
  loader.register((parser) => {
    (parser as unknown as { textureLoader: three.TextureLoader }).textureLoader = new three.TextureLoader(parser.options.manager);
    return { name: "textures-by-elements" };
  });
  return new Promise((resolve, reject) => loader.parse(bytes, "", ({ scene }) => resolve(scene), reject));
}

interface Gltf {
  buffers?: { uri?: string; byteLength: number }[];
  bufferViews?: { buffer: number; byteOffset?: number }[];
}

/** A glTF of text with its buffers beside it, as one GLB: a header, the JSON, all buffers in one. */
async function pack(text: string, companions: File[]): Promise<ArrayBuffer> {
  const json = JSON.parse(text) as Gltf;
  const buffers: Uint8Array[] = [];
  const starts: number[] = [];
  let length = 0;
  for (const { uri = "" } of json.buffers ?? []) {
    const file = uri.startsWith("data:") ? "" : base(decodeURIComponent(uri));
    const given = companions.find((given) => base(given.name) === file);
    let bytes: Uint8Array;
    if (uri.startsWith("data:")) bytes = Uint8Array.from(atob(uri.slice(uri.indexOf(",") + 1)), (letter) => letter.charCodeAt(0));
    else if (given) bytes = new Uint8Array(await given.arrayBuffer());
    else throw new Error(texts.robot.missingBuffer(file));
    starts.push(length);
    buffers.push(bytes);
    length += Math.ceil(bytes.length / 4) * 4;
  }
  for (const view of json.bufferViews ?? []) {
    view.byteOffset = (view.byteOffset ?? 0) + (starts[view.buffer] ?? 0);
    view.buffer = 0;
  }
  if (buffers.length > 0) json.buffers = [{ byteLength: length }];
  const head = new TextEncoder().encode(JSON.stringify(json));
  const headLength = Math.ceil(head.length / 4) * 4;
  const glb = new Uint8Array(12 + 8 + headLength + 8 + length);
  const words = new DataView(glb.buffer);
  const put = (at: number, ...values: number[]) => values.forEach((value, k) => words.setUint32(at + 4 * k, value, true));
  put(0, 0x46546c67, 2, glb.length); // "glTF", version
  put(12, headLength, 0x4e4f534a); // "JSON"
  glb.fill(0x20, 20, 20 + headLength);
  glb.set(head, 20);
  put(20 + headLength, length, 0x004e4942); // "BIN"
  buffers.forEach((bytes, k) => glb.set(bytes, 28 + headLength + starts[k]));
  return glb.buffer;
}
