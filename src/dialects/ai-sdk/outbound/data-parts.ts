/** Everything that becomes a `data-*` part of the message itself: plan, edits, notices, counts. */
import type { EventOf, SessionEvent } from "../../../core/event.ts";
import { addCost, addUsage } from "../../../core/usage.ts";
import { type DataChunk, type DataParts, detailsOf } from "../data-part.ts";

export class DataPartEncoder {
  #usage: DataParts["usage"] = {};
  #compaction: string | undefined;

  /** Undefined for an event that is shown in another way, or not at all. */
  encode(event: SessionEvent): DataChunk | undefined {
    const id = String(event.seq);
    switch (event.type) {
      case "plan.updated":
        // A sub-agent's plan does not replace that of the agent.
        return { type: "data-plan", id: event.parent ?? "plan", data: detailsOf(event) };
      case "file.edited":
        return { type: "data-file-edit", id, data: detailsOf(event) };
      case "notice":
        return { type: "data-notice", id, data: detailsOf(event) };
      case "content.discarded":
        return { type: "data-discarded", id, data: detailsOf(event) };
      case "tool.progress":
        return { type: "data-tool-progress", id: event.call, data: detailsOf(event) };
      case "tool.output.delta":
        return { type: "data-tool-output", id: event.call, data: detailsOf(event), transient: true };
      case "tool.summary":
        return { type: "data-tool-summary", id, data: detailsOf(event) };
      case "auth.status":
        return { type: "data-auth", id: "auth", data: detailsOf(event) };
      case "usage":
        return { type: "data-usage", id: "usage", data: this.#addUsage(event) };
      case "compaction.started":
        this.#compaction = id;
        return { type: "data-compaction", id, data: { state: "started", ...detailsOf(event) } };
      case "compaction.ended": {
        const started = this.#compaction;
        this.#compaction = undefined;
        // A check that found nothing to do is nothing to show.
        if (event.skipped !== undefined && started === undefined) return undefined;
        return { type: "data-compaction", id: started ?? id, data: { state: "ended", ...detailsOf(event) } };
      }
    }
  }

  #addUsage(event: EventOf<"usage">): DataParts["usage"] {
    const cost = addCost(this.#usage.cost, event.cost);
    const model = event.model ?? this.#usage.model;
    const context = event.context ?? this.#usage.context;
    this.#usage = { ...addUsage(this.#usage, event), cost, model, context };
    return this.#usage;
  }
}
