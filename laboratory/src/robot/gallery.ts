/** The robots that come with appell, as cards with pictures. */
import pictures from "virtual:pictures";
import { h } from "../app/dom";
import { choice } from "../app/fields";
import type { PanelContext } from "../app/panel";
import { texts } from "../app/texts";

interface Builtin {
  name: string;
  summary: string;
  kind: "tree" | "closed";
}

/** Shown where the build made no picture. */
const NEUTRAL =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80" fill="none" stroke="#8592a0" stroke-width="3" stroke-linecap="round"><path d="M40 66h40M60 66V46L42 26l24-10"/><g fill="#8592a0" stroke="none"><circle cx="60" cy="46" r="5"/><circle cx="42" cy="26" r="5"/><circle cx="66" cy="16" r="4"/></g></svg>';

export function gallery(host: HTMLElement, { lab, watch }: PanelContext): void {
  const robots = JSON.parse(lab.engine.library.builtins()) as Builtin[];
  const list = h("div", { class: "gallery", role: "list", "aria-label": texts.robot.gallery });
  const nothing = h("p", { class: "hint", hidden: true }, texts.robot.nothingFound);
  let kind = "";
  const search = h("input", { id: "robot-filter", type: "search", placeholder: texts.robot.filter, "aria-label": texts.robot.filter, oninput: () => filter() });
  const kinds = choice("robot-kind", Object.entries(texts.robot.kinds), "", (value) => {
    kind = value;
    filter();
  });
  kinds.setAttribute("aria-label", texts.robot.kind);

  const cards = robots.map((robot) => {
    const svg = pictures[robot.name] ?? NEUTRAL;
    const picture = h("img", { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: "", loading: "lazy", class: robot.name in pictures ? null : "neutral" });
    const open = h("button", { type: "button", class: "card", id: `robot-${robot.name}`, onclick: () => void lab.load(robot.name) }, picture);
    open.append(h("strong", {}, robot.name), h("span", { class: "card-kind" }, texts.robot.kinds[robot.kind]), h("span", { class: "card-summary" }, robot.summary));
    const card = h("div", { role: "listitem" }, open);
    list.append(card);
    return { robot, card, open, words: `${robot.name} ${robot.summary}`.toLowerCase() };
  });

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const { robot, card, words: text } of cards) {
      card.hidden = !((kind === "" || kind === robot.kind) && words.every((word) => text.includes(word)));
      if (!card.hidden) shown += 1;
    }
    nothing.hidden = shown > 0;
  };
  host.append(h("div", { class: "gallery-filter" }, search, kinds), list, nothing);
  watch(["source"], ({ source }) => {
    for (const { robot, open } of cards) open.setAttribute("aria-current", String(source?.kind === "builtin" && source.name === robot.name));
  });
}
