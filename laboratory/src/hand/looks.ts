/** The menu "view": where the camera stands and what is drawn. */
import type { Lab } from "../app/lab";
import { registerCommand } from "../app/panel";
import type { Shown } from "../app/store";
import { texts as all } from "../app/texts";
import type { Point } from "../contract";
import type { Scene } from "../view/scene";

const texts = all.hand;
const DIRECTIONS: [string, Point][] = [
  ["x", [1, 0, 0]],
  ["y", [0, 1, 0]],
  ["z", [0, 0, 1]],
];

export function registerLooks(lab: Lab, scene: Scene): void {
  registerCommand({ id: "fit", title: texts.fit, menu: "view", key: "f", run: () => scene.fit() });
  for (const [axis, direction] of DIRECTIONS)
    registerCommand({ id: `look-${axis}`, title: texts.lookAlong(axis), menu: "view", key: axis, run: () => scene.look(direction) });
  for (const [key, title] of Object.entries(texts.shown) as [keyof Shown, string][])
    registerCommand({
      id: `show-${key}`,
      title,
      menu: "view",
      checked: () => lab.state().shown[key],
      run: () => {
        const { shown } = lab.state();
        lab.store.set({ shown: { ...shown, [key]: !shown[key] } });
      },
    });
  registerCommand({ id: "clear-path", title: texts.clearThePath, menu: "view", run: () => scene.clearPath() });
  const root = document.documentElement;
  registerCommand({
    id: "large-type",
    title: texts.large,
    menu: "view",
    checked: () => root.dataset.type === "large",
    run: () => {
      if (root.dataset.type === "large") delete root.dataset.type;
      else root.dataset.type = "large";
    },
  });
}
