/** The events of an assistant message → its content: what was said and done, in the order in which it began. Pure. */
import { shownFields } from "./ask-update.ts";
import type { EventOf, SessionEvent } from "./event.ts";
import type { ContentPart } from "./message.ts";

type PartOf<Type extends ContentPart["type"]> = Extract<ContentPart, { type: Type }>;
type Result = EventOf<"tool.output" | "tool.failed" | "tool.denied" | "tool.abandoned" | "tool.amended">;

export function messageContent(events: readonly SessionEvent[]): ContentPart[] {
  const content = new Content();
  for (const event of events) content.add(event);
  return content.parts();
}

class Content {
  /** By id, so that later events find them. */
  readonly #parts = new Map<string, ContentPart>();
  #unnamed = 0;

  parts(): ContentPart[] {
    return [...this.#parts.values()];
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case "text.start":
        return this.#set(`part ${event.part}`, {
          type: "text",
          text: "",
          purpose: event.purpose,
          ...originOf(event),
        });
      case "reasoning.start":
        return this.#set(`part ${event.part}`, { type: "reasoning", text: "", ...originOf(event) });
      case "text.delta":
      case "reasoning.delta": {
        const part = this.#parts.get(`part ${event.part}`) as PartOf<"text" | "reasoning"> | undefined;
        if (part) part.text += event.delta;
        return;
      }
      case "content.discarded":
        for (const part of event.parts) this.#parts.delete(`part ${part}`);
        for (const call of event.calls) {
          this.#parts.delete(`call ${call}`);
          this.#parts.delete(`result ${call}`);
        }
        return;
      case "tool.start": {
        const { call, name, title, kind, locations } = event;
        const part = { type: "tool_call", call, name, title, kind, locations, ...originOf(event) } as const;
        return this.#set(`call ${call}`, part);
      }
      case "tool.updated": {
        const { call, name, title, kind, locations } = event;
        return this.#change(`call ${call}`, { name, title, kind, locations });
      }
      case "tool.input":
        return this.#setInput(event);
      case "tool.output":
        return event.preliminary ? undefined : this.#settle(event, "done");
      case "tool.failed":
        return this.#settle(event, "failed");
      case "tool.denied":
        return this.#settle(event, "denied");
      case "tool.abandoned":
        return this.#settle(event, "abandoned");
      case "tool.amended":
        return this.#settle(event, event.error === undefined ? "done" : "failed");
      case "ask.opened": {
        const { ask, kind, call, title, description, options, questions, editable, url } = event;
        const asked = { kind, call, title, description, options, questions, editable, url };
        const shown = { ...asked, ...shownFields(event) };
        return this.#set(`ask ${ask}`, { type: "ask", ask, ...shown, state: "open", ...originOf(event) });
      }
      case "ask.updated":
        return this.#change(`ask ${event.ask}`, shownFields(event));
      case "ask.answered": {
        const { ask, option, effect, answers, message, input, by } = event;
        const answer = { option, effect, answers, message, input, by };
        return this.#change(`ask ${ask}`, { state: "answered", answer });
      }
      case "ask.closed": {
        const { ask, outcome, delivered } = event;
        return this.#change(`ask ${ask}`, { state: "closed", outcome, delivered });
      }
      case "file": {
        const { url, mediaType, filename } = event;
        return this.#append({ type: "file", url, mediaType, filename, ...originOf(event) });
      }
      case "source": {
        const { id, url, title, mediaType, filename } = event;
        return this.#append({ type: "source", id, url, title, mediaType, filename, ...originOf(event) });
      }
      case "file.edited": {
        const { path, kind, diff, from, call } = event;
        return this.#append({ type: "file_edit", path, kind, diff, from, call, ...originOf(event) });
      }
      case "notice": {
        const { level, code, text } = event;
        return this.#append({ type: "notice", level, code, text, ...originOf(event) });
      }
    }
  }

  #setInput({ call, input, by }: EventOf<"tool.input">): void {
    const part = this.#parts.get(`call ${call}`) as PartOf<"tool_call"> | undefined;
    const edited = by === undefined ? undefined : { by, proposed: part?.edited?.proposed ?? part?.input };
    this.#change(`call ${call}`, { input, edited });
  }

  #set(key: string, part: ContentPart): void {
    this.#parts.set(key, part);
  }

  #append(part: ContentPart): void {
    this.#unnamed += 1;
    this.#set(`other ${this.#unnamed}`, part);
  }

  /** An undefined field keeps the earlier value. */
  #change(key: string, change: object): void {
    const part = this.#parts.get(key);
    if (!part) return;
    for (const [name, value] of Object.entries(change))
      if (value !== undefined) Object.assign(part, { [name]: value });
  }

  /** A later result replaces the earlier one in its place. */
  #settle(event: Result, state: PartOf<"tool_result">["state"]): void {
    const { call } = event;
    const why = "error" in event ? event.error : "reason" in event ? event.reason : undefined;
    const told = "metadata" in event || "exitCode" in event || "output" in event ? event : undefined;
    this.#set(`result ${call}`, {
      type: "tool_result",
      call,
      state,
      output: told?.output,
      error: why,
      truncatedFrom: "truncatedFrom" in event ? event.truncatedFrom : undefined,
      exitCode: told?.exitCode,
      metadata: told?.metadata,
      ...originOf(event),
    });
  }
}

function originOf({ parent, task }: { parent?: string; task?: string }): { parent?: string; task?: string } {
  return { parent, task };
}
