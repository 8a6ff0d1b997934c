/** Taking the robot by the hand: gizmo, keys, number fields, its other configurations, and how it is looked at. */
import type { Lab } from "../app/lab";
import { registerCommand, registerPanel } from "../app/panel";
import { texts as all } from "../app/texts";
import type { Scene } from "../view/scene";
import { assembliesPanel } from "./assemblies";
import { Hand } from "./hand";
import { installKeys } from "./keys";
import { registerLooks } from "./looks";
import { posePanel } from "./pose";

const texts = all.hand;

/** Called once, before the first robot is loaded. */
export function install(lab: Lab): void {
  const scene = lab.view as Scene;
  const hand = new Hand(lab, scene);
  installKeys(lab, scene, hand);
  registerPanel(posePanel(lab, scene, hand));
  registerPanel(assembliesPanel(lab, scene));
  registerLooks(lab, scene);
  const mode = (gizmo: "translate" | "rotate", said: string) => () => {
    lab.store.set({ gizmo });
    lab.say(said);
  };
  registerCommand({ id: "gizmo-move", title: texts.move, menu: "none", key: "g", help: texts.moving, run: mode("translate", texts.moving) });
  registerCommand({ id: "gizmo-turn", title: texts.turn, menu: "none", key: "r", help: texts.turning, run: mode("rotate", texts.turning) });
  registerCommand({
    id: "home",
    title: texts.home,
    menu: "none",
    key: "h",
    help: texts.homeHelp,
    run: () => hand.home(),
  });
}
