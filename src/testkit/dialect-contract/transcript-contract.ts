/**
 * What a client of a dialect has read of a log is what the log says, less what that dialect cannot say. Each thing it
 * cannot say is written down with its reason: the same list makes docs/reference/dialect-coverage.md.
 */
import { expect } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import type { Frame } from "../../dialects/dialect.ts";
import { endsMessage } from "./expect-marks.ts";
import { foldTranscript } from "./fold-transcript.ts";
import type { Transcript, TranscriptMessage } from "./transcript.ts";

/** Something that a dialect does not say. */
export interface Drop {
  /** A noun phrase. */
  readonly what: string;
  /** Why not, or what its clients have instead. */
  readonly why: string;
  /**
   * The transcript without it. `read` is what the client has: for what it shows in words of its own, which are compared
   * here and not by their letters.
   */
  apply(transcript: Transcript, read: Transcript): Transcript;
}

/** One way in which clients of a dialect read a conversation. */
export interface TranscriptContract<Shown = readonly Frame[]> {
  /** `stream` or `history`, say. */
  readonly name: string;
  /** What the client has understood, by code that is not the dialect's own where there is such. */
  fold(shown: Shown): Transcript | Promise<Transcript>;
  readonly drops: readonly Drop[];
  /** What clients get of a log; the frames of the dialect's view when absent. */
  stories?(log: readonly SessionEvent[]): Iterable<Story<Shown>>;
}

/** What a client is shown, and what of the log that tells. */
export interface Story<Shown> {
  readonly shown: Shown;
  /** The log up to where the client stopped reading. */
  readonly log: readonly SessionEvent[];
  /** Whether it tells this message of the conversation. All when absent. */
  includes?(message: TranscriptMessage): boolean;
}

/** Of what is shown of one assistant message: up to where it ends, whatever is added to it later. */
export function messageStory<Shown>(
  shown: Shown,
  log: readonly SessionEvent[],
  message: string,
): Story<Shown> {
  const start = log.findIndex((event) => event.type === "message.started" && event.message === message);
  const end = log.findIndex((event, place) => place > start && endsMessage(event, log[start]!));
  return { shown, log: end < 0 ? log : log.slice(0, end + 1), includes: ({ id }) => id === message };
}

/** Any of them, for lists. */
// biome-ignore lint/suspicious/noExplicitAny: what is shown differs from one to the other
export type AnyTranscriptContract = TranscriptContract<any>;

/** The transcript less everything that is dropped. */
export function reduceTranscript(
  transcript: Transcript,
  drops: readonly Drop[],
  read: Transcript = transcript,
): Transcript {
  return drops.reduce((reduced, { apply }) => apply(reduced, read), transcript);
}

/** @example await expectTranscript(contract, { shown: frames, log }); */
export async function expectTranscript<Shown>(
  { name, fold, drops }: TranscriptContract<Shown>,
  { shown, log, includes = () => true }: Story<Shown>,
): Promise<void> {
  const read = plain(await fold(shown));
  const told = plain(foldTranscript(log).filter(includes));
  expect(read, `the transcript of its ${name}`).toEqual(plain(reduceTranscript(told, drops, read)));
}

/** Without fields that are undefined. */
function plain(transcript: Transcript): Transcript {
  return JSON.parse(JSON.stringify(transcript));
}
