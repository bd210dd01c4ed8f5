/** Checks before a write that a batch continues each session's log exactly where it ends. */
import { MEMORY_PART_LENGTH, MEMORY_PIECE_BYTES } from "../core/memory-piece.ts";
import { finish, type Steps } from "../core/steps.ts";
import type { SessionAppend } from "../core/store.ts";

export interface Heads {
  head: number;
  rawHead: number;
}

/** Checked in about a millisecond. */
const STEP_EVENTS = 5000;

/** Throws if the append does not continue the log, which is a bug of the caller. Nothing may be written then. */
export function checkAppend(append: SessionAppend, stored: Heads): void {
  finish(checkEntries(append));
  checkHeads(append, stored);
}

/** Checks that the entries of an append lead to its row, in steps: a fork may have a million events. */
export function* checkEntries({ session, row, events, raws, memory = [] }: SessionAppend): Steps<undefined> {
  let head = row.head - events.length;
  for (const { seq, json } of events) {
    head += 1;
    if (seq !== head) throw notNext(session, `event ${seq}`, head - 1);
    // One event is one line in the store.
    if (json.includes("\n"))
      throw new Error(`Session "${session}": the JSON of event ${head} holds a line break.`);
    if (head % STEP_EVENTS === 0) yield;
  }
  let rawHead = row.rawHead - raws.length;
  for (const { rawSeq } of raws) {
    rawHead += 1;
    if (rawSeq !== rawHead) throw notNext(session, `raw record ${rawSeq}`, rawHead - 1);
    if (rawHead % STEP_EVENTS === 0) yield;
  }
  for (const { part, data } of memory)
    if (data.length > MEMORY_PIECE_BYTES || part.length > MEMORY_PART_LENGTH)
      throw new Error(`Session "${session}": a piece of "${part.slice(0, 100)}" has ${data.length} bytes.`);
  if (row.id !== session) throw new Error(`Session "${session}": its row has the id "${row.id}".`);
  return undefined;
}

/** Checks that an append with these entries begins where the stored log ends. */
export function checkHeads({ session, row, events, raws }: SessionAppend, stored: Heads): void {
  const [first, rawFirst] = [row.head - events.length + 1, row.rawHead - raws.length + 1];
  if (first !== stored.head + 1) throw notNext(session, `event ${first}`, stored.head);
  if (rawFirst !== stored.rawHead + 1) throw notNext(session, `raw record ${rawFirst}`, stored.rawHead);
}

function notNext(session: string, entry: string, newest: number): Error {
  return new Error(`Session "${session}": ${entry} does not follow ${newest}, the newest one before it.`);
}
