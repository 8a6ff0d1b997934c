/** Generated code: any question in any language, computed in a worker. */
import { choice, row } from "../app/fields";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import { fileName, sheet, type Taken } from "./sheet";

const texts = all.home;
const ENDINGS: Record<string, string> = { c: "c", rust: "rs", cuda: "cu", python: "py", julia: "jl", latex: "tex" };

export function code(lab: Lab): void {
  const robot = lab.robot();
  const questions = robot.questions.map(({ name, summary }) => [name, `${name}: ${summary}`] as const);
  let question = questions.some(([name]) => name === "inverse-dynamics") ? "inverse-dynamics" : (questions[0]?.[0] ?? "");
  let language = "c";
  sheet(
    lab,
    texts.code,
    (again) => [
      row(
        texts.question,
        choice("home-question", questions, question, (value) => {
          question = value;
          again();
        }),
      ),
      row(
        texts.language,
        choice("home-language", Object.keys(ENDINGS).map((name) => [name, texts.languages[name]!]), language, (value) => {
          language = value;
          again();
        }),
      ),
    ],
    () => {
      const generated = lab.engine.ask<string>("generate", [question, language]);
      const name = `${fileName(robot.name)}-${question}.${ENDINGS[language]}`;
      const promise = generated.promise.then((text): Taken => ({ name, text, remark: texts.codeHelp(name, text.split("\n").length) }));
      return { promise, cancel: generated.cancel };
    },
  );
}
