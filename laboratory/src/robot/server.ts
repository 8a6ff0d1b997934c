/**
 * A robot that comes with the page. `appell show --page` and notebooks write it into the page, as
 * `<script type="application/json" id="robot">{"file": …, "text": …, "q": …}</script>`; `appell lab` serves it beside
 * the page, announced by `<meta name="appell-lab">`, and the page asks every second whether it changed.
 */
import type { Lab } from "../app/lab";
import { registerStarter } from "../app/panel";
import type { Source } from "../app/store";
import { texts } from "../app/texts";
import { drafts } from "./drafts";
import { take } from "./files";

interface Given {
  /** A built-in robot, or a file with its text. */
  name?: string;
  file?: string;
  text?: string;
  /** Where it stands: all its joints, its drives, or the pose of its platform. */
  q?: number[];
  drives?: number[];
  pose?: number[];
  /** Files of its visual meshes that the server has: it gives them by their numbers. */
  meshes?: string[];
}

const source = ({ name, file, text }: Given): string | Source => (text === undefined ? (name ?? "") : { kind: "file", file: file ?? "robot.toml", text });

function place(lab: Lab, given: Given): void {
  if (given.q) lab.setQ(given.q);
  if (given.drives) lab.setDrives(given.drives);
  if (given.pose) lab.setPose(given.pose);
}

export function installServer(lab: Lab): void {
  registerStarter({
    order: 0,
    async start() {
      const element = document.getElementById("robot");
      if (!element?.textContent) return false;
      const given = JSON.parse(element.textContent) as Given;
      if (!(await lab.load(source(given)))) return false;
      place(lab, given);
      return true;
    },
  });
  const local = location.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  if (!local || !document.querySelector('meta[name="appell-lab"]')) return;
  let before = "";
  /** `/robot`: the same JSON as above; asked again while the page is open. */
  const ask = async (): Promise<boolean> => {
    const answer = await fetch("robot", { cache: "no-store" });
    if (!answer.ok) return false;
    const text = await answer.text();
    if (text === before) return false;
    const first = before === "";
    before = text;
    const given = JSON.parse(text) as Given;
    if (first || !drafts.unsaved()) return put(given, !first);
    lab.tell(texts.robot.fileChanged(given.file ?? given.name ?? ""), { title: texts.robot.takeFile, run: () => void put(given, true) });
    return false;
  };
  const put = async (given: Given, stay: boolean): Promise<boolean> => {
    const q = lab.state().live?.q;
    if (!(await lab.load(source(given)))) return false;
    if (stay && q && q.length === lab.robot().joints.length) lab.setQ(q);
    void fetchMeshes(given.meshes ?? []).catch((error: unknown) => lab.fail(error));
    return true;
  };
  /** Meshes are large: they come after the robot, and once. */
  const fetchMeshes = async (names: string[]): Promise<void> => {
    const missing = new Set(lab.view.meshes.missing());
    const wanted = names.map((name, k) => ({ name, k })).filter(({ name }) => missing.delete(name.toLowerCase()));
    const files = wanted.map(async ({ name, k }) => new File([await (await fetch(`mesh/${k}`)).blob()], name));
    if (wanted.length > 0) await take(lab, await Promise.all(files));
  };
  registerStarter({ order: 1, start: ask });
  setInterval(() => {
    if (before !== "") ask().catch(() => {}); // a server that was ended needs no message
  }, 1000);
}
