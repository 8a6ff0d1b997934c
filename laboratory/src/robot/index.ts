/** Choosing, bringing and editing a robot: the panel, and files that are dropped anywhere on the page. */
import { h } from "../app/dom";
import { button } from "../app/fields";
import type { Lab } from "../app/lab";
import { registerCommand, registerPanel, type PanelContext } from "../app/panel";
import { texts } from "../app/texts";
import { drafts } from "./drafts";
import { editor } from "./editor";
import { ROBOTS, dropped, take } from "./files";
import { gallery } from "./gallery";
import { installServer } from "./server";

const ACCEPTED = [...ROBOTS, "gltf", "glb", "bin", "stl", "obj", "dae"].map((ending) => `.${ending}`).join(",");

/** Called once, before the first robot is loaded. */
export function install(lab: Lab): void {
  registerPanel({
    id: "robot",
    title: texts.robot.title,
    order: 10,
    icon: "M5 20h8M9 20v-5L5 9l8-4M9 15a1.2 1.2 0 1 0 .1 0M5 9a1.2 1.2 0 1 0 .1 0M13 5l4 2M17 5v4h3",
    mount,
  });
  registerCommand({ id: "open-file", title: texts.robot.open, menu: "file", key: "o", help: texts.robot.openHelp, run: openFiles });
  registerCommand({ id: "edit-robot", title: texts.robot.edit, menu: "file", key: "e", help: texts.robot.editHelp, run: edit });
  catchDrops(lab);
  installServer(lab);
  addEventListener("beforeunload", (event) => {
    if (drafts.any()) event.preventDefault(); // the browser asks
  });
  // The panel has its turn before the scene, which learns only then what is missing: once more.
  lab.store.subscribe(["revision"], ({ robot }) => void (robot && robot.meshes.length > 0 && lab.refresh()));
}

function mount(host: HTMLElement, context: PanelContext): void {
  const { lab, watch } = context;
  const pages = { gallery: h("div", { class: "robot-page" }), editor: h("div", { class: "robot-page", hidden: true }) };
  const show = (wanted: keyof typeof pages) => {
    for (const [name, page] of Object.entries(pages)) page.hidden = name !== wanted;
    for (const tab of switches.children) tab.setAttribute("aria-pressed", String(tab.id === `robot-show-${wanted}`));
    host.dataset.page = wanted;
  };
  const switches = h(
    "div",
    { class: "segments" },
    button("robot-show-gallery", texts.robot.gallery, () => show("gallery")),
    button("robot-show-editor", texts.robot.editor, () => show("editor")),
  );
  const missing = h("p", { id: "missing-meshes", class: "warn", hidden: true });
  host.append(h("div", { class: "robot-head" }, switches, button("robot-open", texts.robot.open, () => openFiles(lab), texts.robot.openHelp)), missing);
  host.append(pages.gallery, pages.editor);
  gallery(pages.gallery, context);
  editor(pages.editor, context);
  show("gallery");
  watch(["revision", "sketch"], () => {
    const files = lab.view.meshes.missing();
    const text = files.length === 0 ? "" : texts.robot.missing(files.slice(0, 12).join(", "), files.length);
    if (missing.textContent !== text) missing.textContent = text;
    missing.hidden = text === "";
  });
}

function edit(lab: Lab): void {
  lab.open("robot");
  document.getElementById("robot-show-editor")?.click();
}

function openFiles(lab: Lab): void {
  const chooser = h("input", { type: "file", multiple: true, accept: ACCEPTED });
  chooser.addEventListener("change", () => void take(lab, [...(chooser.files ?? [])]));
  chooser.click();
}

/** A drop anywhere is for the laboratory: otherwise the browser would leave the page for the file. */
function catchDrops(lab: Lab): void {
  const sign = h("div", { id: "drop", hidden: true }, h("p", {}, texts.robot.drop));
  document.body.append(sign);
  const carries = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragenter", (event) => {
    if (carries(event)) sign.hidden = false;
  });
  addEventListener("dragover", (event) => {
    if (carries(event)) event.preventDefault();
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) sign.hidden = true;
  });
  const drop = (event: DragEvent) => {
    sign.hidden = true;
    if (!carries(event) || !event.dataTransfer) return;
    event.preventDefault();
    event.stopPropagation();
    dropped(event.dataTransfer).then(
      (files) => take(lab, files),
      (error: unknown) => lab.fail(error),
    );
  };
  addEventListener("drop", drop, { capture: true }); // before the editor, which would insert the file's text
}
