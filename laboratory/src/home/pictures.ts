/** The picture: PNG and SVG. */
import { h } from "../app/dom";
import { button } from "../app/fields";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import { fileName } from "./sheet";

const texts = all.home;

export function pictures(lab: Lab): void {
  const { body, close } = lab.dialog(texts.picture);
  const name = fileName(lab.robot().name);
  const { width, height } = lab.view.canvas;
  const png = (scale: number) =>
    button(`home-png-${scale}`, texts.png(width * scale, height * scale), () => {
      lab.view.png(scale).then(
        (picture) => {
          lab.download(`${name}.png`, picture);
          close();
        },
        (error: unknown) => lab.fail(error),
      );
    });
  const svg = button("home-svg", texts.svg, () => {
    lab.download(`${name}.svg`, lab.view.svg(), "image/svg+xml");
    close();
  });
  body.append(h("p", { class: "hint" }, texts.pictureHelp), h("div", { class: "home-list" }, png(1), png(2), png(4), svg));
}
