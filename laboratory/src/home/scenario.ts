/** A scenario for `appell simulate` that gives the numbers of the run on the page. */
import { field, row } from "../app/fields";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import { fileName, now, sheet } from "./sheet";

const texts = all.home;

export function scenario(lab: Lab): void {
  const { motion } = lab;
  if (motion === null) return;
  const robot = lab.robot();
  let duration = motion.runner.duration;
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
    () =>
      now(() => {
        const name = `${fileName(robot.name)}-scenario.toml`;
        const own = lab.state().source?.kind === "file" ? robot.file : null;
        return { name, text: motion.runner.scenario(duration), remark: texts.scenarioHelp(name, own) };
      }),
  );
}
