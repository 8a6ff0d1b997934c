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
      const promise = generated.promise.then((text): Taken => {
        const files = parts(text);
        return { name, text, files, remark: texts.codeHelp(files?.map((file) => file.name).join(", ") ?? name, text.split("\n").length) };
      });
      return { promise, cancel: generated.cancel };
    },
  );
}

/** A source file with its header comes as one text, each behind a line with its name. */
function parts(text: string): { name: string; text: string }[] | undefined {
  const found = text.split(/^\/\* (\w+\.\w+) \*\/\n/m);
  if (found.length < 3) return undefined;
  return Array.from({ length: (found.length - 1) / 2 }, (_, k) => ({ name: found[2 * k + 1]!, text: found[2 * k + 2]! }));
}
