/** What is dropped or opened: robots, meshes and files of other modules, told apart; nothing of it leaves the page. */
import { fileHandlers } from "../app/panel";
import type { Lab } from "../app/lab";
import { texts } from "../app/texts";
import { extension, isMesh, readMesh } from "./meshes";

export const ROBOTS = ["toml", "urdf", "xml", "mjcf", "sdf", "world", "csv", "md", "par"];
const COMPANIONS = ["bin", "mtl", "png", "jpg", "jpeg", "webp"]; // of meshes
const TEXT_AT_MOST = 16e6; // bytes
const MESH_AT_MOST = 128e6;
const FILES_AT_MOST = 2000;
const SAID_AT_MOST = 3; // messages
const BEGINNING = 10_000; // characters that a handler of files sees

/** The files of a drop, with those of folders. */
export async function dropped(data: DataTransfer): Promise<File[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return [...data.files];
  const found: File[] = [];
  const walk = async (entry: FileSystemEntry | null): Promise<void> => {
    if (!entry || found.length >= FILES_AT_MOST) return;
    if (entry.isFile) found.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    if (!entry.isDirectory) return;
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return;
      for (const one of some) await walk(one);
    }
  };
  for (const entry of entries) await walk(entry);
  return found;
}

/** A text file, or an error that says why it is none. */
async function readText(file: File): Promise<string> {
  if (file.size === 0) throw new Error(texts.robot.empty(file.name));
  if (file.size > TEXT_AT_MOST) throw new Error(texts.robot.tooLarge(file.name, file.size / 1e6, TEXT_AT_MOST / 1e6));
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.subarray(0, 65_536).includes(0)) throw new Error(texts.robot.binary(file.name));
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === "") throw new Error(texts.robot.empty(file.name));
  return text;
}

/** Meshes first, so that the robot finds them; then texts. Files that cannot be used are named in messages; of many, in one with their count. */
export async function take(lab: Lab, files: File[]): Promise<void> {
  const bad: string[] = [];
  const fail = (file: File, error: unknown) => bad.push(texts.robot.notRead(file.name, error instanceof Error ? error.message : String(error)));
  const kept = files.slice(0, FILES_AT_MOST);
  const companions = kept.filter((file) => COMPANIONS.includes(extension(file.name)));
  const meshes = kept.filter((file) => isMesh(file.name));
  const others = kept.filter((file) => !companions.includes(file) && !meshes.includes(file));
  for (const file of meshes) {
    try {
      if (file.size > MESH_AT_MOST) throw new Error(texts.robot.tooLarge(file.name, file.size / 1e6, MESH_AT_MOST / 1e6));
      lab.view.meshes.give(file.name, await readMesh(file, companions));
    } catch (error) {
      fail(file, error);
    }
  }
  let robots = 0;
  for (const file of others) {
    try {
      const text = await readText(file);
      const handler = fileHandlers.find((handler) => handler.accepts(file.name, text.slice(0, BEGINNING)));
      if (handler) {
        await handler.take(lab, file.name, text);
      } else if (!ROBOTS.includes(extension(file.name))) {
        throw new Error(texts.robot.unknownFormat(ROBOTS.join(", ")));
      } else if (robots++ === 0) {
        await lab.load({ kind: "file", file: file.name, text });
      } else {
        throw new Error(texts.robot.oneAtATime);
      }
    } catch (error) {
      fail(file, error);
    }
  }
  if (bad.length > SAID_AT_MOST) lab.fail(new Error(texts.robot.manyBad(bad.length, kept.length, bad.slice(0, SAID_AT_MOST).join("\n"))));
  else for (const why of bad) lab.fail(new Error(why));
  if (meshes.length > 0 && robots === 0) {
    lab.say(texts.robot.meshesTaken(meshes.length));
    lab.refresh();
  }
}
