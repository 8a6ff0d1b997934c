/** Learning: tours through the five papers, and help. */
import type { Lab } from "../app/lab";
import { registerCommand } from "../app/panel";
import { texts as all } from "../app/texts";
import { Card } from "./card";
import { help } from "./help";
import { agileWrist } from "./tours/agileWrist";
import { goughStewart } from "./tours/goughStewart";
import { pumaCounts } from "./tours/pumaCounts";
import { pumaLine } from "./tours/pumaLine";
import { starTriangle } from "./tours/starTriangle";

const texts = all.learn;

/** Called once, before the first robot is loaded. */
export function install(lab: Lab): void {
  const card = new Card(lab);
  for (const tour of [goughStewart, agileWrist, pumaLine, pumaCounts, starTriangle])
    registerCommand({ id: `tour-${tour.id}`, title: texts.tours[tour.id]!.title, menu: "learn", help: texts.tourHelp(texts.tours[tour.id]!.paper), run: () => card.open(tour) });
  registerCommand({ id: "help", title: texts.help, menu: "learn", key: "?", help: texts.helpHelp, run: help });
}
