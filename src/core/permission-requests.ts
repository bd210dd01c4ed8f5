/** The permissions an agent waits for, as the stream and the replies of `PermissionHandler`. */
import type { AgentOutput, PermissionRequestEvent } from "./adapter.ts";
import type { AskEffect, AskOption } from "./ask.ts";
import type { CommandOf } from "./command.ts";
import type { Draft } from "./draft.ts";
import { InterlinguaError } from "./error.ts";
import { isRecord } from "./is-record.ts";

interface OpenRequest {
  readonly event: PermissionRequestEvent;
  readonly options: readonly AskOption[];
  isDelivered: boolean;
}

/** Observes every output of a session, and keeps only what is open. */
export class PermissionRequests implements AsyncIterable<PermissionRequestEvent> {
  readonly #calls = new Map<string, { name: string; input: unknown }>();
  readonly #open = new Map<string, OpenRequest>();
  #hasEnded = false;
  #wake = () => {};

  observe({ raw, drafts }: AgentOutput): void {
    for (const draft of drafts) this.#observeDraft(draft);
    if (raw.direction !== "process" || raw.data.event !== "exit") return;
    this.#hasEnded = true;
    this.#wake();
  }

  /** The request was answered, by whatever way. */
  close(requestId: string): void {
    this.#open.delete(requestId);
  }

  /** The command that answers a request. Throws for one that is unknown or already answered. */
  reply(requestId: string, behavior: "allow" | "deny"): CommandOf<"reply"> {
    const request = this.#open.get(requestId);
    if (!request) {
      throw new InterlinguaError(
        "ask_not_found",
        `No permission request "${requestId}" waits for an answer.`,
      );
    }
    const effect: AskEffect = behavior === "allow" ? "once" : "reject";
    const option = request.options.find((offered) => offered.effect === effect);
    return { type: "reply", ask: requestId, effect, ...(option && { option: option.id }) };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<PermissionRequestEvent, void> {
    for (;;) {
      const next = [...this.#open.values()].find((request) => !request.isDelivered);
      if (next) {
        next.isDelivered = true;
        yield next.event;
      } else if (this.#hasEnded) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #observeDraft(draft: Draft): void {
    switch (draft.type) {
      case "tool.start":
        this.#calls.set(draft.call, { name: draft.name, input: {} });
        return;
      case "tool.input": {
        const call = this.#calls.get(draft.call);
        if (call) call.input = draft.input;
        return;
      }
      case "tool.output":
        if (!draft.preliminary) this.#calls.delete(draft.call);
        return;
      case "tool.failed":
      case "tool.denied":
      case "tool.abandoned":
        this.#calls.delete(draft.call);
        return;
      case "turn.ended":
        this.#calls.clear();
        this.#open.clear();
        return;
      case "ask.closed":
        return this.close(draft.ask);
      case "ask.opened":
        if (draft.kind === "permission") this.#openRequest(draft);
    }
  }

  #openRequest(draft: Extract<Draft, { type: "ask.opened" }>): void {
    const call = draft.call === undefined ? undefined : this.#calls.get(draft.call);
    this.#open.set(draft.ask, {
      event: {
        requestId: draft.ask,
        toolName: call?.name ?? "tool",
        input: isRecord(call?.input) ? call.input : {},
        description: draft.description ?? draft.title,
      },
      options: draft.options,
      isDelivered: false,
    });
    this.#wake();
  }
}
