/**
 * The maximum size of each field an agent can fill, in characters. One table for all drafts: a field has the same limit
 * everywhere. docs/guides/faults.md lists the limits.
 */

const KB = 1024;

/** An agent's own ids. A longer one is shortened and stays unique (short-id.ts). */
export const ID_FIELDS: ReadonlySet<string> = new Set(["part", "call", "ask", "task", "parent"]);
export const ID_LIST_FIELDS: ReadonlySet<string> = new Set(["parts", "calls"]);

/** What goes back to the agent verbatim. Cut, it would mean something else, so a longer one is left out. */
export const EXACT_FIELDS: ReadonlySet<string> = new Set(["id", "value", "model", "mode", "agentSessionId"]);
export const MAX_EXACT_LENGTH = 16 * KB;

/** Values of any shape. `output` has its limit from the settings. */
export const FREE_LIMITS: Readonly<Record<string, number>> = {
  input: 1024 * KB,
  progress: 256 * KB,
  metadata: 256 * KB,
  detail: 256 * KB,
  data: 256 * KB,
  answers: 256 * KB,
};

export const TEXT_LIMITS: Readonly<Record<string, number>> = {
  // Cut into several events, so that nothing of a text is lost.
  delta: 256 * KB,
  url: 16 * KB,
  diff: 1024 * KB,
  text: 256 * KB,
  summary: 256 * KB,
  error: 256 * KB,
  message: 256 * KB,
  description: 64 * KB,
  reason: 64 * KB,
  title: 16 * KB,
  label: 16 * KB,
  header: 16 * KB,
  path: 16 * KB,
  from: 16 * KB,
};

/** A file in the conversation, as a data URL. A larger one is left out, with a notice: half a picture is none. */
export const MAX_FILE_URL_LENGTH = 16 * 1024 * KB;

/** Names, kinds, codes and every other field of text. */
export const SHORT_TEXT = 4 * KB;

/** Lists: how many entries, and how large all of them together. */
export const MAX_LIST_LENGTH = 10_000;
export const LIST_SIZE = 2 * 1024 * KB;
