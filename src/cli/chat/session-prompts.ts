/** The prompts of a session as a chat shows them: those typed here, and those of others. */
import type { EventOf, Prompt, SessionEvent } from "../../sdk/index.ts";
import { harmless, stylist } from "../run/style.ts";
import { CONTINUATION } from "../run/terminal-line.ts";

const note = stylist(process.stderr);

/** What stands before a prompt, while it is typed and afterwards. */
export const PROMPT = note("bold", "› ");

export class SessionPrompts {
  /** Ours whose turn has not begun. */
  readonly #sent = new Map<string, Prompt>();
  /** What prompts say that are not shown yet, whoever sent them. */
  readonly #texts = new Map<string, string>();

  get sent(): readonly Prompt[] {
    return [...this.#sent.values()];
  }

  add(prompt: Prompt): void {
    this.#sent.set(prompt.id, prompt);
  }

  remove(prompt: Prompt): void {
    this.#sent.delete(prompt.id);
  }

  /** What is to be printed of it. */
  see(event: SessionEvent, isLive: boolean): string | undefined {
    switch (event.type) {
      case "prompt.accepted":
        return this.#accepted(event, isLive);
      case "prompt.changed":
        this.#texts.set(event.message, textOf(event.parts));
        return undefined;
      case "prompt.withdrawn":
        this.#sent.delete(event.message);
        this.#texts.delete(event.message);
        return note("dim", "(A waiting prompt was taken back.)");
      case "prompt.dispatched":
        return this.#dispatched(event);
    }
    return undefined;
  }

  #accepted({ message, parts, receipt }: EventOf<"prompt.accepted">, isLive: boolean): string | undefined {
    const isOurs = this.#sent.has(message);
    // What was typed here and is answered at once stands there already.
    if (isOurs && receipt === "started") return undefined;
    const text = textOf(parts);
    this.#texts.set(message, text);
    const isNews = isLive && !isOurs && receipt === "queued";
    return isNews ? note("dim", `Waits: ${asTyped(text)}`) : undefined;
  }

  #dispatched({ message, steered }: EventOf<"prompt.dispatched">): string | undefined {
    const isOurs = this.#sent.delete(message);
    const text = this.#texts.get(message);
    // The agent may give back what it was to take into its turn: then it is shown with its own.
    if (!steered) this.#texts.delete(message);
    return text === undefined || (isOurs && steered) ? undefined : `${PROMPT}${asTyped(text)}`;
  }
}

/** As it stands there where it was typed. */
function asTyped(text: string): string {
  return harmless(text).replaceAll("\n", `\n${CONTINUATION}`);
}

function textOf(parts: EventOf<"prompt.accepted">["parts"]): string {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const files = parts.flatMap((part) => (part.type === "file" ? [`[${part.filename ?? "a file"}]`] : []));
  return [...texts, ...files].join(" ");
}
