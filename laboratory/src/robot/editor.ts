/** The robot's file as text: problems at their lines while typing, and the robot follows while it is valid. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { xml } from "@codemirror/legacy-modes/mode/xml";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { debounce, h } from "../app/dom";
import { button } from "../app/fields";
import type { PanelContext } from "../app/panel";
import type { Source } from "../app/store";
import { texts } from "../app/texts";
import type { Problem } from "../contract";
import { Cancelled } from "../engine/engine";
import { drafts } from "./drafts";
import { extension } from "./meshes";

const PAUSE = 250; // ms after the last key
const PATIENCE = 15_000; // ms that a check may take
const EDITED_AT_MOST = 2e6; // characters: more is read, not edited
const MARKED_AT_MOST = 200;

const colours = HighlightStyle.define([
  { tag: [tags.comment], class: "code-comment" },
  { tag: [tags.string, tags.attributeValue], class: "code-string" },
  { tag: [tags.number, tags.bool, tags.atom], class: "code-number" },
  { tag: [tags.propertyName, tags.attributeName, tags.tagName, tags.keyword, tags.heading], class: "code-name" },
]);

function language(file: string) {
  if (extension(file) === "toml") return StreamLanguage.define(toml);
  return ["urdf", "xml", "mjcf", "sdf", "world"].includes(extension(file)) ? StreamLanguage.define(xml) : [];
}

export function editor(host: HTMLElement, { lab, watch }: PanelContext): void {
  /** What is edited: the file as it came, to undo to. */
  let original: { file: string; text: string; source: Source } = { file: "", text: "", source: { kind: "builtin", name: "" } };
  /** Robots that came from here: the text is newer than they are. */
  let ours = "";
  /** What was saved last: as good as the file. */
  let saved: string | null = null;
  let checking = false;
  let again = false;

  const name = h("span", { class: "editor-name" });
  const state = h("span", { id: "editor-state", class: "editor-state", role: "status" });
  const box = h("div", { id: "editor", class: "editor" });
  const problems = h("ul", { id: "problems", class: "problems", "aria-label": texts.robot.problems });
  const tooLong = h("p", { class: "hint", hidden: true });
  const undo = button("editor-undo", texts.robot.undo, () => replace(original.text), texts.robot.undoTitle);
  const save = button("editor-save", texts.robot.save, () => lab.download(original.file, (saved = view.state.doc.toString())), texts.robot.saveTitle);
  const draft = h("p", { id: "editor-draft", class: "editor-draft", hidden: true });
  draft.append(texts.robot.draft, button("draft-take", texts.robot.takeDraft, () => takeDraft()), button("draft-drop", texts.robot.dropDraft, () => dropDraft()));
  host.append(h("div", { class: "editor-head" }, name, undo, save), draft, state, box, tooLong, problems);

  const mode = new Compartment();
  const later = debounce(PAUSE, () => void check());
  const extensions = [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    bracketMatching(),
    indentUnit.of("  "),
    syntaxHighlighting(colours),
    keymap.of([{ key: "Mod-s", run: () => (save.click(), true) }, ...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
    EditorView.contentAttributes.of({ "aria-label": texts.robot.editor }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) later();
    }),
  ];
  const fresh = (text: string, file: string) => EditorState.create({ doc: text, extensions: [...extensions, mode.of(language(file))] });
  const view = new EditorView({ parent: box, state: fresh("", "") });

  const replace = (text: string) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });

  drafts.unsaved = () => {
    const text = view.state.doc.toString();
    return !box.hidden && text !== original.text && text !== saved;
  };
  function takeDraft(): void {
    const kept = drafts.of(original.source);
    if (kept === null) return;
    // What was typed since takes its place.
    if (drafts.unsaved()) drafts.keep(original.source, view.state);
    else dropDraft();
    view.setState(kept);
    later();
  }
  function dropDraft(): void {
    drafts.drop(original.source);
    draft.hidden = true;
  }

  /** One check at a time; what was typed meanwhile is checked next, and a stale answer is dropped. */
  async function check(): Promise<void> {
    again = checking;
    if (checking) return;
    checking = true;
    const text = view.state.doc.toString();
    const { file } = original;
    state.textContent = texts.robot.checking;
    try {
      const answer = await lab.engine.call({ robot: null, method: "check", args: [text, file], timeout: PATIENCE, urgent: true }).promise;
      if (text === view.state.doc.toString() && file === original.file) await follow(JSON.parse(answer) as Problem[], text);
    } catch (error) {
      if (error instanceof Cancelled) again = true;
      else mark([{ line: null, severity: "error", message: error instanceof Error ? error.message : String(error) }]);
    } finally {
      checking = false;
      if (again) later();
    }
  }

  async function follow(found: Problem[], text: string): Promise<void> {
    mark(found);
    const { source } = lab.state();
    if (found.some((problem) => problem.severity === "error")) return;
    if (source !== null && textOf(source) === text) return;
    ours = text;
    const wanted: Source = text === original.text ? original.source : { kind: "file", file: original.file, text };
    await lab.load(wanted, { quietly: true, stay: true });
  }

  /** The text that a source was made from, as far as this editor knows it. */
  const textOf = (source: Source) => (source.kind === "file" ? source.text : source === original.source ? original.text : null);

  function mark(found: Problem[]): void {
    const { doc } = view.state;
    const errors = found.filter((problem) => problem.severity === "error").length;
    const marks = found.slice(0, MARKED_AT_MOST).map((problem): Diagnostic => {
      const line = doc.line(Math.min(Math.max(problem.line ?? 1, 1), doc.lines));
      const indent = /^\s*/.exec(line.text)![0].length;
      return { from: Math.min(line.from + indent, line.to), to: line.to, severity: problem.severity, message: problem.message };
    });
    view.dispatch(setDiagnostics(view.state, marks));
    state.textContent = errors > 0 ? texts.robot.errors(errors) : found.length > 0 ? texts.robot.warnings(found.length) : texts.robot.fine;
    state.className = `editor-state ${errors > 0 ? "bad" : found.length > 0 ? "warn" : "good"}`;
    problems.replaceChildren(
      ...found.slice(0, MARKED_AT_MOST).map((problem) => {
        const where = problem.line === null ? texts.robot.wholeFile : texts.robot.line(problem.line);
        const go = h("button", { type: "button", class: "quiet", onclick: () => goTo(problem.line ?? 1) }, where);
        return h("li", { class: problem.severity, "data-line": problem.line ?? "" }, go, h("span", {}, problem.message));
      }),
    );
  }

  function goTo(line: number): void {
    const at = view.state.doc.line(Math.min(line, view.state.doc.lines)).from;
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    view.focus();
  }

  watch(["revision"], ({ robot, source }) => {
    if (!robot || !source || (source.kind === "file" ? source.text === ours : source === original.source)) return;
    const text = source.kind === "file" ? source.text : robot.text;
    if (text === original.text && source === original.source) return;
    const file = source.kind === "file" ? source.file : robot.file || `${source.name}.toml`;
    if (drafts.unsaved()) drafts.keep(original.source, view.state);
    original = { file, text, source };
    ours = "";
    saved = null;
    draft.hidden = drafts.of(source) === null;
    name.textContent = file;
    const long = text.length > EDITED_AT_MOST;
    box.hidden = long;
    tooLong.hidden = !long;
    tooLong.textContent = texts.robot.tooLongToEdit(text.length / 1e6);
    for (const one of [undo, save]) one.disabled = long;
    view.setState(fresh(long ? "" : text, file));
    mark(robot.warnings);
  });
}
