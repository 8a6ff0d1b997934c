/** The start of the page: the library first, then the view, the panels, a robot. */
import { Frames } from "./app/frames";
import { h } from "./app/dom";
import { Laboratory, message } from "./app/laboratory";
import { starters } from "./app/panel";
import { Shell } from "./app/shell";
import { Store } from "./app/store";
import { texts } from "./app/texts";
import { compile } from "./engine/load";
import { Pool } from "./engine/pool";
import { install as installHand } from "./hand/index";
import { install as installHome } from "./home/index";
import { install as installLearn } from "./learn/index";
import { install as installMotion } from "./motion/index";
import { install as installNumbers } from "./numbers/index";
import { install as installRobot } from "./robot/index";
import { Scene } from "./view/scene";

async function start(): Promise<void> {
  const data = document.getElementById("library")?.textContent?.trim() ?? "";
  const compiled = data === "" ? null : compile(data); // beside the rest; the page without a module is for its builders

  const store = new Store();
  const frames = new Frames();
  store.wake = () => frames.request(false);
  frames.update = () => store.flush();
  const shell = new Shell(store);
  const view = new Scene(shell.view, frames, store);
  frames.render = () => view.render();
  shell.onTheme = (name) => view.setTheme(name);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => shell.theme("auto"));
  shell.theme("auto");

  const engine = new Pool(await compiled, store);
  const lab = new Laboratory(store, frames, engine, view, shell, (panel) => shell.open(panel));
  Object.assign(window, { lab });
  frames.fail = (error) => lab.fail(error);
  addEventListener("error", (event) => lab.fail(event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    if ((event.reason as Error | null)?.name !== "Cancelled") lab.fail(event.reason);
  });

  for (const install of [installRobot, installHand, installNumbers, installMotion, installHome, installLearn]) {
    try {
      install(lab);
    } catch (error) {
      lab.fail(error);
    }
  }
  shell.build(lab);
  let loaded = false;
  for (const { start } of starters) {
    try {
      loaded = await start(lab);
    } catch (error) {
      lab.fail(error);
    }
    if (loaded) break;
  }
  // Nothing that was dropped meanwhile is overtaken.
  if (!loaded && store.get().source === null && store.get().busy === "") await lab.load("gough-stewart");
  requestAnimationFrame(() => requestAnimationFrame(lab.settle));
}

start().catch((error: unknown) => {
  document.body.append(h("div", { class: "dead", role: "alert" }, h("h1", {}, texts.app.cannotStart), h("p", {}, message(error))));
});
