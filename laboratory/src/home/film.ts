/** A film of the view: the browser's own recorder on the canvas, WebM, or MP4 where a browser writes no other. */
import { h, write } from "../app/dom";
import { button } from "../app/fields";
import type { Lab } from "../app/lab";
import { texts as all } from "../app/texts";
import { fileName } from "./sheet";

const texts = all.home;
const RATE = 30; // pictures a second
const BITS = 6e6; // a second
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

export class Film {
  private recorder: MediaRecorder | null = null;
  private readonly task;

  constructor(private readonly lab: Lab) {
    // While it records every frame is drawn, so that the film runs at the speed of the clock.
    this.task = lab.frames.add(() => this.recorder !== null);
  }

  toggle(): void {
    if (this.recorder) this.recorder.stop();
    else this.start();
  }

  private start(): void {
    const { lab } = this;
    const canvas = lab.view.canvas;
    const type = typeof MediaRecorder === "undefined" || !canvas.captureStream ? undefined : TYPES.find((type) => MediaRecorder.isTypeSupported(type));
    if (type === undefined) throw new Error(texts.noFilm);
    const name = `${fileName(lab.robot().name)}.${type.startsWith("video/mp4") ? "mp4" : "webm"}`;
    const stream = canvas.captureStream(RATE);
    const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS });
    const parts: Blob[] = [];
    const begun = performance.now();
    const time = h("span", {});
    const sign = h("div", { id: "film", role: "status" }, h("span", { class: "film-dot", "aria-hidden": "true" }), time, button("film-stop", texts.filmStop, () => this.toggle()));
    const clock = window.setInterval(() => write(time, texts.filming((performance.now() - begun) / 1000)), 500);
    write(time, texts.filming(0));
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onerror = () => lab.fail(new Error(texts.filmFailed));
    recorder.onstop = () => {
      this.recorder = null;
      clearInterval(clock);
      sign.remove();
      for (const track of stream.getTracks()) track.stop();
      lab.download(name, new Blob(parts, { type: type.split(";")[0] }));
      lab.say(texts.filmSaved(name));
    };
    recorder.start(1000);
    this.recorder = recorder;
    canvas.parentElement!.append(sign);
    this.task.start();
    lab.say(texts.filming(0));
  }
}
