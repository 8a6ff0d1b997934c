/** The robots that come with appell, as cards with pictures. */
import { h } from "../app/dom";
import { choice } from "../app/fields";
import type { PanelContext } from "../app/panel";
import { texts } from "../app/texts";
import type { Sketch } from "../contract";
import { pictureOf } from "../view/picture";

interface Builtin {
  name: string;
  summary: string;
  kind: "tree" | "closed";
}

/** Pixels of a picture. */
const [WIDTH, HEIGHT] = [300, 200];

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
    const picture = h("img", { alt: "", width: WIDTH, height: HEIGHT });
    const open = h("button", { type: "button", class: "card", id: `robot-${robot.name}`, onclick: () => void lab.load(robot.name) }, picture);
    open.append(h("strong", {}, robot.name), h("span", { class: "card-kind" }, texts.robot.kinds[robot.kind]), h("span", { class: "card-summary" }, robot.summary));
    const card = h("div", { role: "listitem" }, open);
    list.append(card);
    return { robot, card, open, picture, words: `${robot.name} ${robot.summary}`.toLowerCase() };
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
  const sketches = new Map<string, Sketch>();
  const draw = ({ robot, picture }: (typeof cards)[number]) => {
    const sketch = sketches.get(robot.name);
    if (sketch) picture.src = `data:image/svg+xml,${encodeURIComponent(pictureOf(sketch, robot.name, WIDTH, HEIGHT, lab.view.palette))}`;
  };
  // A worker makes the robots one after the other, once the page stands; it may be ended for a robot that is loaded meanwhile.
  void lab.ready.then(async () => {
    for (const card of cards)
      for (let again = 0; again < 3 && !sketches.has(card.robot.name); again++) {
        const robot = { source: { kind: "builtin" as const, name: card.robot.name }, q: null };
        await lab.engine.call({ robot, method: "sketch", args: [] }).promise.then(
          (text) => {
            sketches.set(card.robot.name, JSON.parse(text) as Sketch);
            draw(card);
          },
          () => {},
        );
      }
  });
  lab.store.subscribe(["theme"], () => cards.forEach(draw));
  host.append(h("div", { class: "gallery-filter" }, search, kinds), list, nothing);
  watch(["source"], ({ source }) => {
    for (const { robot, open } of cards) open.setAttribute("aria-current", String(source?.kind === "builtin" && source.name === robot.name));
  });
}
