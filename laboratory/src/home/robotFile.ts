/** The robot's file in every format that can hold it. */
import { choice, row } from "../app/fields";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import { fileName, now, sheet, type Taken } from "./sheet";

const texts = all.home;
const FORMATS = ["toml", "urdf", "par", "csv", "md"];

export function robotFile(lab: Lab): void {
  let format = "toml";
  const read = lab.robot();
  const options = [...FORMATS.map((name) => [name, texts.formats[name]!] as const), ["read", texts.asRead(read.file)] as const];
  sheet(
    lab,
    texts.robotFile,
    (again) => [
      row(
        texts.format,
        choice("home-format", options, format, (value) => {
          format = value;
          again();
        }),
      ),
    ],
    () => {
      if (format === "read") return now(() => ({ name: read.file || `${fileName(read.name)}.toml`, text: read.text }));
      const written = lab.engine.ask<string>("write", [format]);
      const promise = written.promise.then((text): Taken => ({ name: `${fileName(read.name)}.${format}`, text }));
      return { promise, cancel: written.cancel };
    },
  );
}
