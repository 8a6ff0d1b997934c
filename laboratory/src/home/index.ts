/** Taking it home: links, pictures, films, tables, the robot's file, code, scenarios; all in the menu "File". */
import type { Lab } from "../app/lab";
import { registerCommand, registerStarter } from "../app/panel";
import { texts as all } from "../app/texts";
import { code } from "./code";
import { Film } from "./film";
import { follow, speaks, write } from "./link";
import { pictures } from "./pictures";
import { robotFile } from "./robotFile";
import { scenario } from "./scenario";
import { copyText } from "./sheet";
import { tables } from "./tables";

const texts = all.home;
const CAREFUL = 8_000; // characters: some programs cut longer links
const TOO_LONG = 400_000; // characters: browsers refuse about two million, mail programs long before

/** Called once, before the first robot is loaded. */
export function install(lab: Lab): void {
  const film = new Film(lab);
  registerCommand({ id: "copy-link", title: texts.link, menu: "file", help: texts.linkHelp, run: copyLink });
  registerCommand({ id: "picture", title: `${texts.picture} …`, menu: "file", help: texts.pictureHelp, run: pictures });
  registerCommand({ id: "film", title: texts.film, menu: "file", help: texts.filmHelp, run: () => film.toggle() });
  registerCommand({ id: "tables", title: `${texts.tables} …`, menu: "file", help: texts.tablesHelp, run: tables });
  registerCommand({ id: "robot-file", title: `${texts.robotFile} …`, menu: "file", help: texts.robotFileHelp, run: robotFile });
  registerCommand({ id: "code", title: `${texts.code} …`, menu: "file", help: texts.codeMenuHelp, run: code });
  registerCommand({ id: "scenario", title: `${texts.scenario} …`, menu: "file", help: texts.scenarioMenuHelp, run: scenario });

  // Before a robot that comes with the page: a link says more.
  registerStarter({ order: -1, start: () => (speaks(location.hash) ? follow(lab, location.hash) : Promise.resolve(false)) });
  addEventListener("hashchange", () => {
    if (speaks(location.hash)) follow(lab, location.hash).catch((error: unknown) => lab.fail(error));
  });
}

async function copyLink(lab: Lab): Promise<void> {
  const hash = await write(lab);
  if (hash.length > TOO_LONG) throw new Error(texts.linkTooLong(hash.length));
  // A page inside of another, such as a notebook's, has no address that a link could name.
  if (!/^(file|https?):/.test(location.href)) return copyText(lab, hash, texts.linkNoAddress);
  await copyText(lab, location.href.split("#")[0]! + hash, hash.length > CAREFUL ? texts.linkLong(hash.length) : texts.linkCopied(hash.length));
}
