/**
 * What a person wrote and the daemon does not have yet, by session: the draft, whether it is sent as soon as there is a
 * connection, and prompts whose request was not answered. Kept in memory and, if small enough, in the tab's storage, so that a reload does not lose it.
 */
import type { PromptPart } from "../api/types.ts";
import type { AttachedFile } from "./attached-file.ts";

export interface Draft {
  text: string;
  files: readonly AttachedFile[];
  /** How it came to be here, where nobody wrote it here. */
  note?: string;
}

type ChangeDraft = (draft: Draft) => Draft;

export type WhenBusy = "queue" | "steer";

export interface UnansweredPrompt {
  id: string;
  parts: PromptPart[];
}

/** The storage of a tab holds a few megabytes; more than this stays in memory only. */
const MAX_STORED_LENGTH = 1_000_000;

const memory = new Map<string, unknown>();
const sending = new Set<string>();
const listeners = new Set<() => void>();
/** What changes the drafts that are shown. */
const composers = new Map<string, (change: ChangeDraft) => void>();

export function readDraft(session: string): Draft {
  // Earlier pages kept the files beside the text; a tab that is brought up to date has them there.
  const { text = "", files = [], note } = read<Partial<Draft>>(`draft.${session}`) ?? {};
  return { text, files: read<Draft["files"]>(`files.${session}`) ?? files, note };
}

export function keepDraft(session: string, { text, files, note }: Draft): void {
  const written = text === "" ? undefined : { text, note };
  keep(`draft.${session}`, written, written);
  // By themselves: they may be megabytes, and stay the same with each key.
  const name = `files.${session}`;
  const attached = files.length === 0 ? undefined : files;
  if (!memory.has(name) || memory.get(name) !== attached) keep(name, attached, undefined);
}

/** Changes a draft where it is shown, or else where it is kept. */
export function changeDraft(session: string, change: ChangeDraft): void {
  const composer = composers.get(session);
  if (composer) composer(change);
  else keepDraft(session, change(readDraft(session)));
}

/** What somebody wrote elsewhere goes on in the draft, after what is there. It is not sent by itself. */
export function appendToDraft(session: string, text: string, note: string): void {
  releaseDraft(session);
  changeDraft(session, (now) => {
    const before = now.text.trim() === "" ? "" : `${now.text.trimEnd()}\n\n`;
    return { ...now, text: before + text, note };
  });
}

/** From now on `change` has the draft of the session, until the returned function is called. */
export function registerComposer(session: string, change: (change: ChangeDraft) => void): () => void {
  composers.set(session, change);
  return () => {
    if (composers.get(session) === change) composers.delete(session);
  };
}

/** The parts of a prompt that is sent: files first. */
export function draftParts({ text, files }: Draft): PromptPart[] {
  const parts: PromptPart[] = files.map((file) => ({ type: "file", ...file }));
  return text.trim() === "" ? parts : [...parts, { type: "text", text }];
}

type HeldDrafts = Readonly<Record<string, WhenBusy>>;

/** The sessions whose draft is sent when the connection is back. */
export function heldDrafts(): HeldDrafts {
  return read<HeldDrafts>("held") ?? {};
}

export function holdDraft(session: string, whenBusy: WhenBusy): void {
  keepHeld({ ...heldDrafts(), [session]: whenBusy });
}

/** Returns how it was to be sent, to the first who asks. */
export function releaseDraft(session: string): WhenBusy | undefined {
  const { [session]: whenBusy, ...others } = heldDrafts();
  if (whenBusy !== undefined) keepHeld(others);
  return whenBusy;
}

/** Of a draft with files a reload may keep the text only: that is not sent by itself. */
function keepHeld(held: HeldDrafts): void {
  const whole = Object.entries(held).filter(([session]) => readDraft(session).files.length === 0);
  keep("held", held, {}, Object.fromEntries(whole));
}

export function unansweredPrompts(session: string): readonly UnansweredPrompt[] {
  return read<UnansweredPrompt[]>(`unanswered.${session}`) ?? [];
}

/** While its request is under way nobody can say yet whether it arrives. */
export function isSending(id: string): boolean {
  return sending.has(id);
}

export function setSending(id: string, isNow: boolean): void {
  if (isNow) sending.add(id);
  else if (sending.delete(id)) for (const listener of listeners) listener();
}

/** Called whenever a request is over, whoever sent it. Returns a function that stops it. */
export function onSendingOver(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function addUnanswered(session: string, prompt: UnansweredPrompt): void {
  keepUnanswered(session, [...unansweredPrompts(session), prompt]);
}

export function removeUnanswered(session: string, id: string): void {
  const before = unansweredPrompts(session);
  if (before.some((prompt) => prompt.id === id))
    keepUnanswered(
      session,
      before.filter((prompt) => prompt.id !== id),
    );
}

function keepUnanswered(session: string, prompts: readonly UnansweredPrompt[]): void {
  const texts = prompts.map(({ id, parts }) => ({ id, parts: parts.filter(({ type }) => type === "text") }));
  keep(`unanswered.${session}`, prompts.length === 0 ? undefined : prompts, texts);
}

function read<Value>(name: string): Value | undefined {
  if (memory.has(name)) return memory.get(name) as Value;
  try {
    const stored = sessionStorage.getItem(`interlingua.${name}`);
    return stored === null ? undefined : (JSON.parse(stored) as Value);
  } catch {
    return undefined;
  }
}

/** `stored` is what outlives a reload, and `smaller` what is stored of it where that is too large. */
function keep(name: string, value: unknown, smaller: unknown, stored = value): void {
  memory.set(name, value);
  const key = `interlingua.${name}`;
  try {
    const kept = lengthOf(stored) <= MAX_STORED_LENGTH ? stored : smaller;
    if (kept === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // The storage is full: it stays in memory.
    sessionStorage.removeItem(key);
  }
}

/** Of all the text in it: megabytes are not written out only to find that they are too many. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + lengthOf(part), 0);
}
