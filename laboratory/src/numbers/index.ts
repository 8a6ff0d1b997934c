/** What the mathematics says about the present state, live: torques, singularities, maps. */
import type { Lab } from "../app/lab";
import { registerPanel } from "../app/panel";
import { texts } from "../app/texts";
import { forces } from "./forces";
import { map } from "./map";
import { singularities } from "./singularities";
import { UncontrolledMotions } from "./uncontrolled";
import { vibrations } from "./vibration";

/** Called once, before the first robot is loaded. */
export function install(lab: Lab): void {
  const { panels } = texts.numbers;
  const motions = new UncontrolledMotions(lab); // also without its panel: a tour lets them swing
  registerPanel({ id: "forces", title: panels.forces, order: 30, icon: "M4 20V10M9 20V4M14 20v-7M19 20V8M3 20h18", mount: forces });
  registerPanel({ id: "singularities", title: panels.singularities, order: 40, icon: "M4 17a8 8 0 0 1 16 0M12 17l4-6M4 17h2M18 17h2M12 9v1.5", mount: (host, context) => singularities(host, context, motions) });
  registerPanel({ id: "vibration", title: panels.vibration, order: 45, icon: "M3 12c1.5-6 3-6 4.5 0s3 6 4.5 0 3-6 4.5 0 3 6 4.5 0", mount: vibrations });
  registerPanel({ id: "map", title: panels.map, order: 60, icon: "M4 4h16v16H4zM4 9.3h16M4 14.6h16M9.3 4v16M14.6 4v16", mount: map });
}
