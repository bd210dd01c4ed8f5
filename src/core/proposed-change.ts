/**
 * A change of a file that an agent proposes by texts: replace this by that. Where the text stands in the file is only
 * known once the file is read. Pure.
 */
import { z } from "zod";
import type { EventOf } from "./event.ts";
import { fileChange } from "./event-fields.ts";
import type { Steps } from "./steps.ts";

export type FileChange = NonNullable<EventOf<"ask.opened">["changes"]>[number];

/** One replacement of text in a file. */
export interface TextEdit {
  /** What is replaced: has to occur once. The whole file when absent; `""` for a file that is new or empty. */
  readonly find?: string;
  readonly replace: string;
  /** Every occurrence is replaced. */
  readonly everywhere?: boolean;
  /** The newline after the text goes with it, where there is one. */
  readonly takesNewline?: boolean;
}

/**
 * As a translator knows it: the diff is that of the replaced texts alone. The engine reads the file and shows the edits
 * where they will be made. They never reach the log.
 */
export interface ProposedChange extends FileChange {
  /** Made one after the other. */
  readonly edits?: readonly TextEdit[];
}

/** How large a file, and what becomes of it, may be, in characters. */
export const MAX_EDITED_LENGTH = 4 * 1024 * 1024;

const MAX_EDITS = 100;

/** What may come from an adapter from outside. */
export const proposedChangesSchema = z.array(
  z.object({
    ...fileChange,
    edits: z
      .array(
        z.object({
          find: z.string().optional(),
          replace: z.string(),
          everywhere: z.boolean().optional(),
          takesNewline: z.boolean().optional(),
        }),
      )
      .optional(),
  }),
);

/** The edits that undo these. Each of them replaced a text by another. */
export function reversedEdits(edits: readonly TextEdit[]): TextEdit[] {
  return edits.map(({ find = "", replace }) => ({ find: replace, replace: find })).reverse();
}

export type EditProblem = "not-found" | "not-unique" | "too-large" | "exists";

/** Leaves out what is for the engine. */
export function withoutEdits<Some extends { changes?: readonly ProposedChange[]; edits?: unknown }>(
  draft: Some,
): Some {
  if (isWithEdits(draft)) return stripped(draft);
  if (!Array.isArray(draft.changes) || !draft.changes.some(isWithEdits)) return draft;
  return {
    ...draft,
    changes: draft.changes.map((change) => (isWithEdits(change) ? stripped(change) : change)),
  };
}

function stripped<Some extends { edits?: unknown }>({ edits: _edits, ...rest }: Some): Some {
  return rest as Some;
}

function isWithEdits(change: unknown): boolean {
  return typeof change === "object" && change !== null && "edits" in change;
}

/** A file before and after edits. */
export interface EditedText {
  /** Undefined where there is no file. */
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * Makes the edits, or says why they cannot be made. `\r\n` counts as `\n`, because agents read files that way: both texts
 * have `\n`, unless nothing but line ends changes.
 */
export function* applyEdits(
  file: string | undefined,
  edits: readonly TextEdit[],
): Steps<EditedText | EditProblem> {
  const isLong = edits.some(({ replace }) => replace.length > MAX_EDITED_LENGTH);
  if (isLong || edits.length > MAX_EDITS) return "too-large";
  const hasReturns = file?.includes("\r\n") === true;
  const plain = (text: string) => (hasReturns ? text.replaceAll("\r\n", "\n") : text);
  const before = file === undefined ? undefined : plain(file);
  let after = before ?? "";
  for (const edit of edits) {
    yield;
    const find = plain(edit.find ?? "");
    if (edit.find === "" && after !== "") return "exists";
    const result =
      find === "" ? plain(edit.replace) : replaceText(after, { ...edit, find }, plain(edit.replace));
    if (typeof result === "object") return result.problem;
    after = result;
  }
  const last = edits.at(-1);
  const isWhole = last !== undefined && last.find === undefined;
  return isWhole && before === after ? { before: file, after: last.replace } : { before, after };
}

function replaceText(
  text: string,
  { find, everywhere, takesNewline }: TextEdit & { find: string },
  put: string,
): string | { problem: EditProblem } {
  const lines = takesNewline ? findAll(text, `${find}\n`) : [];
  const isLine = lines.length > 0;
  const found = isLine ? lines : findAll(text, find);
  if (found.length === 0) return { problem: "not-found" };
  if (found.length > 1 && !everywhere) return { problem: "not-unique" };
  if (text.length + found.length * put.length > MAX_EDITED_LENGTH) return { problem: "too-large" };
  return replaceAt(text, found, find.length + (isLine ? 1 : 0), put);
}

function replaceAt(text: string, places: readonly number[], length: number, put: string): string {
  const pieces: string[] = [];
  let end = 0;
  for (const place of places) {
    pieces.push(text.slice(end, place), put);
    end = place + length;
  }
  pieces.push(text.slice(end));
  return pieces.join("");
}

/**
 * Where a text occurs in another, without overlaps. In linear time, unlike `indexOf`: an agent chooses both texts, and
 * could keep the daemon busy for minutes.
 */
function findAll(text: string, find: string): number[] {
  const borders = new Int32Array(find.length);
  for (let at = 1, length = 0; at < find.length; at += 1) {
    while (length > 0 && find.charCodeAt(at) !== find.charCodeAt(length)) length = borders[length - 1]!;
    if (find.charCodeAt(at) === find.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  const places: number[] = [];
  for (let at = 0, length = 0; at < text.length; at += 1) {
    while (length > 0 && text.charCodeAt(at) !== find.charCodeAt(length)) length = borders[length - 1]!;
    if (text.charCodeAt(at) === find.charCodeAt(length)) length += 1;
    if (length < find.length) continue;
    places.push(at + 1 - length);
    length = 0;
  }
  return places;
}

const NOTE = "The diff shows only the replaced text, without line numbers: ";

/** Why a diff does not show where in the file the change is made, as the last line of what is said about an ask. */
export function withLocationNote(description: string | undefined, reason: string): string {
  return description ? `${description}\n${NOTE}${reason}` : `${NOTE}${reason}`;
}

export function withoutLocationNote(description: string): string | undefined {
  const lines = description.split("\n");
  return lines.at(-1)!.startsWith(NOTE) ? lines.slice(0, -1).join("\n") || undefined : description;
}
