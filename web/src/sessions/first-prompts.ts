/** The first prompts of sessions that have no title: what a person knows them by. */
import { daemon } from "../api/client.ts";
import type { SessionEvent } from "../api/types.ts";
import { excerpt } from "../ui/format.ts";

/** The first prompt is among the first events, or there is none yet. */
const FIRST_EVENTS = 10;
const MAX_LENGTH = 200;

/** The beginning of the first prompt; undefined where there is none, or it has no words. Pure. */
export function firstPromptOf(events: readonly SessionEvent[]): string | undefined {
  const accepted = events.find((event) => event.type === "prompt.accepted");
  const text = accepted?.parts.flatMap((part) => (part.type === "text" ? part.text : [])).join(" ") ?? "";
  return excerpt(text, MAX_LENGTH) || undefined;
}

/** One session after the other: a long list must not keep the page from what a person does. */
export class FirstPrompts {
  readonly #found = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();

  /** What is known already. */
  get(session: string): string | undefined {
    return this.#found.get(session);
  }

  /** Undefined where there is none yet, or `signal` is aborted before it is asked for. */
  read(session: string, signal: AbortSignal): Promise<string | undefined> {
    const reading = this.#last.then(async () => {
      if (signal.aborted) return undefined;
      const known = this.#found.get(session) ?? (await load(session, signal));
      if (known !== undefined) this.#found.set(session, known);
      return known;
    });
    // One that is deleted just now, or whose log is damaged, is still in the list.
    this.#last = reading.catch(() => {});
    return reading;
  }
}

async function load(id: string, signal: AbortSignal): Promise<string | undefined> {
  const query = { limit: FIRST_EVENTS };
  const page = await daemon().call("GET /v1/sessions/{id}/events", { params: { id }, query }, signal);
  return firstPromptOf(page.events);
}
