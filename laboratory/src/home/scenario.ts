/** A scenario for `appell simulate` that gives the numbers of the run on the page. */
import { field, row } from "../app/fields";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import type { MotionOptions } from "../contract";
import { fileName, sheet, type Taken } from "./sheet";

const texts = all.home;
/** Without a module for motion: the robot falls. */
const FALL: MotionOptions = { law: "free", omega: 10, zeta: 1, viscous: 0, coulomb: 0, payload: 0, law_knows_payload: false, spring: 0, reference: null };

export function scenario(lab: Lab): void {
  const options = lab.motion?.options() ?? FALL;
  const robot = lab.robot();
  let duration = lab.motion?.run()?.t.at(-1) || options.reference?.t.at(-1) || 2;
  sheet(
    lab,
    texts.scenario,
    (again) => [
      row(
        texts.duration,
        field("home-duration", duration, { min: 1e-3, max: 3600 }, (value) => {
          duration = value;
          again();
        }),
        "s",
      ),
    ],
    () => {
      const made = lab.engine.ask<string>("scenario", [JSON.stringify(options), duration]);
      const name = `${fileName(robot.name)}-scenario.toml`;
      const own = lab.state().source?.kind === "file" ? robot.file : null;
      const promise = made.promise.then((text): Taken => ({ name, text, remark: texts.scenarioHelp(name, own) }));
      return { promise, cancel: made.cancel };
    },
  );
}
