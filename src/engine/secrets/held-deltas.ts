/** Deltas on their way through the mask: what could be the beginning of a secret waits for the next delta. */
import type { Draft } from "../../core/draft.ts";
import type { EscapeLayers } from "./escape-layers.ts";

export type DeltaDraft = Extract<Draft, { delta: string }>;

interface Held {
  /** The newest delta. */
  draft: DeltaDraft;
  layers: EscapeLayers;
  /** Masked already; it goes out with the next delta. */
  ready: string;
}

/** How many parts may have something held back at once. Beyond that the oldest is released as it is. */
const MAX_HELD = 200;

export class HeldDeltas {
  readonly #held = new Map<string, Held>();

  /** To go on from here without touching this one. */
  copy(): HeldDeltas {
    const copy = new HeldDeltas();
    for (const [key, held] of this.#held) copy.#held.set(key, { ...held, layers: held.layers.copy() });
    return copy;
  }

  /** Releases the oldest if too much is held. Call it before `push`. */
  *makeRoom(): Iterable<DeltaDraft> {
    if (this.#held.size < MAX_HELD) return;
    const [key, held] = this.#held.entries().next().value!;
    yield this.#release(key, held);
  }

  /** The delta as far as it can be released, masked. Its text may be empty. */
  push(draft: DeltaDraft, newLayers: () => EscapeLayers): DeltaDraft {
    const key = keyOf(draft);
    const { layers, ready } = this.#held.get(key) ?? { layers: newLayers(), ready: "" };
    const delta = ready + layers.push(draft.delta);
    if (layers.held === "") this.#held.delete(key);
    else this.#held.set(key, { draft, layers, ready: "" });
    return { ...draft, delta };
  }

  /** More secrets to look for, also in what is held back. */
  renew(newLayers: () => EscapeLayers): void {
    for (const held of this.#held.values()) {
      const layers = newLayers();
      held.ready += layers.push(held.layers.held);
      held.layers = layers;
    }
  }

  /** A draft that ends or replaces a part first releases what is held of it. */
  *releaseBefore(draft: Draft): Iterable<DeltaDraft> {
    for (const [key, held] of [...this.#held])
      if (concerns(draft, held.draft, key)) yield this.#release(key, held);
  }

  /** Releases everything held back: nothing follows. */
  *releaseAll(): Iterable<DeltaDraft> {
    for (const [key, held] of [...this.#held]) yield this.#release(key, held);
  }

  #release(key: string, { draft, layers, ready }: Held): DeltaDraft {
    this.#held.delete(key);
    return { ...draft, delta: ready + layers.finish() };
  }
}

/** Whether this draft ends the held part. */
function concerns(draft: Draft, held: DeltaDraft, heldKey: string): boolean {
  if (/^(turn|step|prompt)\.|^content\.discarded$/.test(draft.type)) return true;
  if (draft.type === "task.ended") return "task" in held && held.task === draft.task;
  if ("part" in held || held.type.startsWith("text") || held.type.startsWith("reasoning")) {
    const kind = held.type.slice(0, held.type.indexOf("."));
    const isBoundary = draft.type === `${kind}.end` || draft.type === `${kind}.start`;
    return isBoundary && keyOf({ ...draft, type: `${kind}.delta` } as DeltaDraft) === heldKey;
  }
  return "call" in draft && "call" in held && draft.call === held.call;
}

function keyOf(draft: DeltaDraft): string {
  const { type, part, call, parent, task } = draft as {
    type: string;
    part?: string;
    call?: string;
    parent?: string;
    task?: string;
  };
  return JSON.stringify([type, part, call, parent, task]);
}
