/** Merges the stored history into a chat that already shows something. Pure. */

export interface HistoryMessage {
  id: string;
  role: string;
  metadata?: unknown;
}

export interface MergeOptions {
  /** Whether the stored page is not the whole history. */
  hasMore: boolean;
  /** Whether a turn may be streaming, whose message the stored history leaves out. */
  isLive: boolean;
}

/**
 * The stored messages win. Kept are earlier pages that were loaded before, and while a turn streams the message it is
 * writing, so that it does not vanish until its replay arrives. A message that did not change stays the same object.
 */
export function mergeHistory<Message extends HistoryMessage>(
  shown: readonly Message[],
  stored: readonly Message[],
  { hasMore, isLive }: MergeOptions,
): Message[] {
  const known = new Map(shown.map((message) => [message.id, message]));
  const page = stored.map((message) => {
    const former = known.get(message.id);
    return former && isSame(former, message) ? former : message;
  });
  return [...earlierPages(shown, stored, hasMore), ...page, ...streaming(shown, stored, isLive)];
}

function earlierPages<Message extends HistoryMessage>(
  shown: readonly Message[],
  stored: readonly Message[],
  hasMore: boolean,
): readonly Message[] {
  const start = shown.findIndex((message) => message.id === stored[0]?.id);
  return hasMore && start > 0 ? shown.slice(0, start) : [];
}

function streaming<Message extends HistoryMessage>(
  shown: readonly Message[],
  stored: readonly Message[],
  isLive: boolean,
): readonly Message[] {
  const last = shown.at(-1);
  if (!isLive || last?.role !== "assistant" || stored.some(({ id }) => id === last.id)) return [];
  const answers = (last.metadata as { replyTo?: string } | undefined)?.replyTo;
  return answers !== undefined && answers === stored.at(-1)?.id ? [last] : [];
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
