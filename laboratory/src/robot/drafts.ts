/** Texts that were typed and not saved: kept while other robots are on the bench, and asked about before they are lost. */
import type { EditorState } from "@codemirror/state";
import type { Source } from "../app/store";

const key = (source: Source): string => (source.kind === "builtin" ? `builtin ${source.name}` : `file ${source.file}`);

class Drafts {
  /** Whether the text in the editor differs from its file and from what was saved; set by the editor. */
  unsaved: () => boolean = () => false;
  private readonly kept = new Map<string, EditorState>();

  /** Keeps a text, with its history, under the robot that it was made from. */
  keep(source: Source, state: EditorState): void {
    this.kept.set(key(source), state);
  }
  of(source: Source): EditorState | null {
    return this.kept.get(key(source)) ?? null;
  }
  drop(source: Source): void {
    this.kept.delete(key(source));
  }
  any(): boolean {
    return this.unsaved() || this.kept.size > 0;
  }
}

export const drafts = new Drafts();
