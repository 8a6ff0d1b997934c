/** A dialog with a text to take home: choices, what they give, buttons to save and to copy it. */
import { h, write } from "../app/dom";
import { button } from "../app/fields";
import type { Lab } from "../app/lab";
import { message } from "../app/laboratory";
import { texts as all } from "../app/texts";
import type { Pending } from "../engine/engine";

const texts = all.home;
const SHOWN_AT_MOST = 60_000; // characters in the preview; all are saved

export interface Taken {
  /** Of the file. */
  name: string;
  text: string;
  /** Where the text is of several files, these instead. */
  files?: { name: string; text: string }[];
  /** What else one should know. */
  remark?: string;
}

/**
 * `choices` makes the fields above the preview, which call `again` when something else is chosen; `make` gives the text
 * for the present choice. An older text that is still being computed is cancelled.
 */
export function sheet(lab: Lab, title: string, choices: (again: () => void) => HTMLElement[], make: () => Pending<Taken>): void {
  const { body } = lab.dialog(title, true);
  const preview = h("pre", { id: "home-preview", tabindex: 0, role: "region", "aria-label": texts.preview });
  const remark = h("p", { id: "home-remark", class: "hint", role: "status" });
  let taken: Taken | null = null;
  let under: Pending<Taken> | null = null;
  const save = button("home-save", texts.save, () => {
    for (const { name, text } of taken?.files ?? (taken ? [taken] : [])) lab.download(name, text);
  });
  const copy = button("home-copy", texts.copy, () => taken && void copyText(lab, taken.text, texts.copied(taken.name)));
  save.classList.add("primary");

  const again = async () => {
    under?.cancel();
    taken = null;
    save.disabled = copy.disabled = true;
    preview.setAttribute("aria-busy", "true");
    remark.className = "hint";
    write(remark, texts.computing);
    const mine = (under = make());
    try {
      taken = await mine.promise;
      const { name, text } = taken;
      write(preview, text.length > SHOWN_AT_MOST ? `${text.slice(0, SHOWN_AT_MOST)}\n${texts.cutHere(text.length)}` : text);
      write(remark, taken.remark ?? texts.size(name, text.length));
      save.disabled = copy.disabled = false;
    } catch (error) {
      if (under !== mine) return; // cancelled: another choice is being computed
      write(preview, "");
      remark.className = "bad";
      write(remark, message(error));
    }
    preview.setAttribute("aria-busy", "false");
  };
  body.closest("dialog")?.addEventListener("close", () => under?.cancel());
  body.append(h("div", { class: "home-choices" }, ...choices(() => void again())), preview, remark, h("div", { class: "buttons" }, save, copy));
  void again();
}

/** What needs no worker, in the same shape. */
export function now(make: () => Taken): Pending<Taken> {
  return { promise: Promise.resolve().then(make), cancel: () => {} };
}

/** Into the clipboard, or where that is not permitted into a field to copy from. */
export async function copyText(lab: Lab, text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    lab.say(done);
  } catch {
    const { body } = lab.dialog(texts.copyByHand);
    const field = h("textarea", { id: "home-text", rows: 6, readonly: true, "aria-label": texts.copyByHand });
    field.value = text;
    body.append(h("p", {}, texts.noClipboard), field);
    field.select();
  }
}

/** A name for files: small letters, digits and dashes. */
export const fileName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "robot";
