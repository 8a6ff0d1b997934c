/** Help, by `?`: keys, mouse and fingers, what every panel and menu entry is for. */
import { h } from "../app/dom";
import type { Lab } from "../app/lab";
import { commands, panels } from "../app/panel";
import { texts as all } from "../app/texts";

const texts = all.learn;

export function help(lab: Lab): void {
  const { body } = lab.dialog(texts.help, true);
  const section = (title: string, ...rows: (readonly [Node | string, string])[]) =>
    h("section", {}, h("h3", {}, title), h("dl", { class: "help-list" }, ...rows.flatMap(([term, text]) => [h("dt", {}, term), h("dd", {}, text)])));
  const keyed = commands.filter((command) => command.key !== undefined);
  const menus = (Object.keys(all.app.menu) as (keyof typeof all.app.menu)[]).map((menu) => {
    const entries = commands.filter((command) => command.menu === menu);
    const plain = entries.filter((command) => !command.help).map((command) => command.title); // their titles say it all
    const rows = entries.filter((command) => command.help).map((command) => [command.title, command.help!] as const);
    return section(all.app.menu[menu], ...rows, ...(plain.length > 0 ? [[texts.also, plain.join(", ")] as const] : []));
  });
  body.append(
    h("p", {}, texts.about),
    h(
      "div",
      { class: "help-columns" },
      section(texts.keys, ...[...keyed.map((command) => [h("kbd", {}, keyName(command.key!)), command.title] as const), ...texts.moreKeys.map(([key, what]) => [h("kbd", {}, key), what] as const)]),
      section(texts.pointer, ...texts.gestures),
      section(all.app.panels, ...panels.map((panel) => [panel.title, texts.panels[panel.id] ?? ""] as const)),
      ...menus,
    ),
    h("p", { class: "muted" }, texts.version(lab.engine.library.version())),
  );
}

const keyName = (key: string): string => texts.keyNames[key] ?? (key.length === 1 ? key.toUpperCase() : key);
