/** The first prompts of sessions that have no title of their own: what a person knows them by. */
import { daemon } from "../api/client.ts";
import type { Message, SessionEvent } from "../api/types.ts";
import { promptTitle } from "./prompt-title.ts";

/** The first prompt is among the first events, or there is none yet. */
const FIRST_EVENTS = 10;
/** What a fork said itself is looked for among the newest. */
const NEWEST_MESSAGES = 50;

/** The beginning of the first prompt; undefined where there is none, or it has no words. Pure. */
export function firstPromptOf(events: readonly SessionEvent[]): string | undefined {
  const accepted = events.find((event) => event.type === "prompt.accepted");
  return accepted && beginningOf(accepted.parts);
}

/** The first prompt since then; undefined where there is none, or it may be before these messages. Pure. */
export function firstPromptSince(
  since: number,
  {
    messages,
    hasMore,
  }: { messages: readonly Pick<Message, "role" | "createdAt" | "content">[]; hasMore: boolean },
): string | undefined {
  const at = messages.findIndex(({ role, createdAt }) => role === "user" && createdAt >= since);
  const reachesBack =
    !hasMore || messages.slice(0, Math.max(0, at)).some(({ createdAt }) => createdAt < since);
  return at >= 0 && reachesBack ? beginningOf(messages[at]!.content) : undefined;
}

/** One session after the other: a long list must not keep the page from what a person does. */
export class FirstPrompts {
  readonly #found = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();

  /** What is known already. With `since` it is that of a fork, which was made then. */
  get(session: string, since?: number): string | undefined {
    return this.#found.get(`${session} ${since}`);
  }

  /** Undefined where there is none yet, or `signal` is aborted before it is asked for. */
  read(session: string, signal: AbortSignal, since?: number): Promise<string | undefined> {
    const reading = this.#last.then(async () => {
      if (signal.aborted) return undefined;
      const known = this.get(session, since) ?? (await load(session, signal, since));
      if (known !== undefined) this.#found.set(`${session} ${since}`, known);
      return known;
    });
    // One that is deleted just now, or whose log is damaged, is still in the list.
    this.#last = reading.catch(() => {});
    return reading;
  }
}

async function load(id: string, signal: AbortSignal, since?: number): Promise<string | undefined> {
  const params = { id };
  if (since !== undefined) {
    const query = { limit: NEWEST_MESSAGES };
    return firstPromptSince(
      since,
      await daemon().call("GET /v1/sessions/{id}/messages", { params, query }, signal),
    );
  }
  const query = { limit: FIRST_EVENTS };
  const page = await daemon().call("GET /v1/sessions/{id}/events", { params, query }, signal);
  return firstPromptOf(page.events);
}

function beginningOf(parts: readonly { type: string }[]): string | undefined {
  const texts = parts.flatMap((part) => ("text" in part && typeof part.text === "string" ? part.text : []));
  return promptTitle(texts.join("\n")) || undefined;
}
