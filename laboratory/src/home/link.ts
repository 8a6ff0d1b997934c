/**
 * Permalinks: the robot, where it stands and how it is looked at, in the part of an address behind `#`, which browsers
 * never send anywhere.
 *
 *   #robot=gough-stewart&q=0.1,…&output=…&camera=x,y,z,x,y,z&shown=frames,path&panel=pose&theme=dark
 *   #file=arm.toml&text=…        a robot of one's own: its file, deflated, in base64url
 */
import type { Lab } from "../app/lab";
import type { Shown, Source, State } from "../app/store";
import { texts as all } from "../app/texts";
import type { Point } from "../contract";

const texts = all.home;
const TEXT_AT_MOST = 16e6; // bytes of a robot's file when it is inflated

/** The present state as the part behind `#`, with it. */
export async function write(lab: Lab): Promise<string> {
  const { source, live, shown, panel, theme } = lab.state();
  if (source === null) throw new Error(all.app.noRobot);
  const parts: [string, string][] = [];
  if (source.kind === "builtin") parts.push(["robot", source.name]);
  else parts.push(["file", source.file], ["text", base64url(await deflate(source.text))]);
  if (live) parts.push(["q", numbers(live.q)]);
  parts.push(["output", lab.bench().output()]);
  const camera = lab.view.camera();
  parts.push(["camera", numbers([...camera.position, ...camera.target])]);
  parts.push(["shown", (Object.keys(shown) as (keyof Shown)[]).filter((key) => shown[key]).join(",")], ["panel", panel]);
  if (theme !== "auto") parts.push(["theme", theme]);
  return `#${parts.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("%2C", ",")}`).join("&")}`;
}

/** Whether an address says which robot to show. */
export const speaks = (hash: string): boolean => /^#(robot|file)=/.test(hash);

/** Does what a link says; false where its robot cannot be loaded. */
export async function follow(lab: Lab, hash: string): Promise<boolean> {
  const said = parse(hash);
  const source: Source = said.has("robot")
    ? { kind: "builtin", name: said.get("robot")! }
    : { kind: "file", file: said.get("file")!, text: await inflate(said.get("text") ?? "") };
  if (!(await lab.load(source))) return false;
  const output = said.get("output");
  if (output !== undefined && lab.robot().frames.includes(output)) lab.setOutput(output);
  const why = place(lab, said.get("q"));
  if (why !== "") lab.tell(texts.linkStopped(why));
  lab.view.clearPath();
  const on = said.get("shown")?.split(",");
  if (on) {
    const keys = Object.keys(lab.state().shown) as (keyof Shown)[];
    lab.store.set({ shown: Object.fromEntries(keys.map((key) => [key, on.includes(key)])) as unknown as Shown });
  }
  const theme = said.get("theme");
  if (theme === "light" || theme === "dark") lab.store.set({ theme: theme satisfies State["theme"] });
  const camera = list(said.get("camera"));
  if (camera?.length === 6) lab.view.setCamera({ position: camera.slice(0, 3) as Point, target: camera.slice(3) as Point });
  const panel = said.get("panel");
  if (panel) lab.open(panel);
  return true;
}

function parse(hash: string): Map<string, string> {
  try {
    const parts = hash.slice(1).split("&");
    return new Map(parts.map((part) => [part.split("=", 1)[0]!, decodeURIComponent(part.slice(part.indexOf("=") + 1))] as const));
  } catch {
    throw new Error(texts.linkBroken);
  }
}

/** Brings the robot where the link says; why not, in words and short numbers. */
function place(lab: Lab, text: string | undefined): string {
  if (text === undefined || text === "") return "";
  const q = list(text);
  if (q === null) return texts.linkNoNumbers;
  const wanted = lab.bench().q().length;
  if (q.length !== wanted) return texts.linkLength(q.length, wanted);
  return lab.setQ(q).replace(/-?\d+(\.\d+)?(e[+-]?\d+)?/gi, (found) => (found.length > 7 ? String(Number(Number(found).toPrecision(4))) : found));
}

/** All digits: what is read is the number that was written. */
const numbers = (list: readonly number[]): string => list.map((x) => String(x).replace("e+", "e")).join(",");

function list(text: string | undefined): number[] | null {
  if (text === undefined || text === "") return null;
  const found = text.split(",").map(Number);
  return found.every(Number.isFinite) ? found : null;
}

async function deflate(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Stops at what no robot's file needs: a short link can hold an endless text. */
async function inflate(base64: string): Promise<string> {
  let letters: string;
  try {
    letters = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new Error(texts.linkBroken);
  }
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error(texts.linkBroken);
    });
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > TEXT_AT_MOST) {
      await reader.cancel();
      throw new Error(texts.linkEndless);
    }
  }
}

function base64url(bytes: Uint8Array): string {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
