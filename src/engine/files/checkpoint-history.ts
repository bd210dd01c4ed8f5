/** The checkpoints in a session's log, and what was done between them. */
import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import { readLog } from "../../core/read-log.ts";
import { restoredChanges } from "../../core/restored-changes.ts";
import type { Store } from "../../core/store.ts";
import type { CheckpointPlace, PlannedChange, TurnSpan } from "../../core/workspace.ts";
import type { CheckpointKind } from "../../core/workspace-fields.ts";
import { MAX_NAMED_FILES } from "./record-checkpoint.ts";

export interface RestoredView {
  /** The checkpoint they went back to. */
  to: string;
  /** How many did. */
  files: number;
  /** Which, the first hundred. */
  paths: string[];
  /** Who wanted it, by name. */
  by?: string;
}

export interface CheckpointView {
  id: string;
  at: number;
  seq: number;
  kind: CheckpointKind;
  /** The prompt it was taken for. */
  message?: string;
  turn?: string;
  /** Of one that was taken before files went back: what that did. */
  restored?: RestoredView;
  /** It was old, or there were too many: nothing can go back to it any more. */
  dropped?: true;
  /** The name of the place that keeps it, if that is not here. */
  elsewhere?: string;
}

/** Work on the files between two checkpoints: a turn, or a restore. */
export interface Span extends TurnSpan {
  /** Where it begins in the log. */
  readonly seq: number;
  readonly turn?: string;
  /** Too many files are mixed to be named: all that changed are. */
  readonly allMixed?: boolean;
  /** What a restore really did. If it has no checkpoint at its end, `after` is that before it. */
  readonly changes?: readonly PlannedChange[];
}

interface OpenSpan extends Pick<Span, "seq" | "turn"> {
  before?: string;
  /** What was approved of it while it went on. */
  approved?: Span[];
}

/** Unlike a turn it needs no checkpoint at its end: the log has what it did. */
interface OpenRestore extends Pick<Span, "seq" | "before"> {
  readonly to: string;
  readonly by?: string;
  readonly planned: readonly PlannedChange[];
  after?: string;
}

/** All events it is made of. Their type stands near the beginning. */
const RELEVANT = /"type":"(checkpoint\.|restore\.|turn\.(started|ended)"|prompt\.dispatched")/;
const TYPE_WITHIN = 400;

export class CheckpointHistory {
  readonly checkpoints: CheckpointView[] = [];
  readonly #spans: Span[] = [];
  readonly #prompts: { message: string; seq: number }[] = [];
  #head = 0;
  /** As `SessionState.checkpoint`. */
  #latest: string | undefined;
  #turn: OpenSpan | undefined;
  /** The last turn, if the checkpoint at its end is missing. */
  #unclosed: OpenSpan | undefined;
  #restore: OpenRestore | undefined;

  /** Where each is kept, by id. Without those from when there was one place for all. */
  readonly #places = new Map<string, CheckpointPlace>();

  /** Where a checkpoint is kept. Undefined where there is one place for all. */
  placeOf(checkpoint: string): CheckpointPlace | undefined {
    return this.#places.get(checkpoint);
  }

  /** Reads what the log has got since the last call. */
  async update(store: Pick<Store, "readEvents">, session: string): Promise<void> {
    for await (const page of readLog(store, session, this.#head))
      for (const encoded of page) this.#read(encoded);
  }

  find(checkpoint: string): CheckpointView | undefined {
    return this.checkpoints.find(({ id }) => id === checkpoint);
  }

  /** What was done from a checkpoint on, oldest first. */
  spansSince({ seq }: CheckpointView): readonly Span[] {
    return this.#spans.filter((span) => span.seq > seq);
  }

  spanOf(turn: string): Span | undefined {
    const first = this.#spans.find((span) => span.turn === turn);
    const last = this.#spans.findLast((span) => span.turn === turn);
    return first && last && { ...last, seq: first.seq, before: first.before };
  }

  /** The prompts dispatched after a checkpoint, oldest first. */
  promptsSince({ seq }: CheckpointView): string[] {
    return this.#prompts.filter((prompt) => prompt.seq > seq).map(({ message }) => message);
  }

  #read(encoded: EncodedEvent): void {
    if (encoded.seq <= this.#head) return;
    this.#head = encoded.seq;
    if (RELEVANT.test(encoded.json.slice(0, TYPE_WITHIN))) this.#add(eventOf(encoded));
  }

  #add(event: SessionEvent): void {
    switch (event.type) {
      case "turn.started":
        this.#turn = {
          seq: event.seq,
          turn: event.turn,
          before: event.origin === "agent" ? this.#latest : undefined,
        };
        this.#latest = undefined;
        this.#unclosed = undefined;
        return;
      case "prompt.dispatched":
        this.#prompts.push({ message: event.message, seq: event.seq });
        if (!event.steered && event.checkpoint !== undefined) this.#dispatch(event, event.checkpoint);
        return;
      case "turn.ended":
        this.#unclosed = this.#turn;
        this.#turn = undefined;
        return;
      case "restore.started":
        this.#restore = {
          seq: event.seq,
          before: event.before,
          planned: event.changes,
          to: event.checkpoint,
          by: event.by,
        };
        this.#latest = undefined;
        return;
      case "checkpoint.restored":
        this.#endRestore(event);
        return;
      case "checkpoint.created":
        this.#create(event);
    }
  }

  #dispatch({ message, turn }: EventOf<"prompt.dispatched">, checkpoint: string): void {
    if (this.#turn) this.#turn.before = checkpoint;
    const taken = this.checkpoints.findLast(({ id }) => id === checkpoint);
    // That at the end of a turn which the prompt overtook stays what it is.
    if (taken?.kind === "before") Object.assign(taken, { message, turn });
  }

  #create(event: EventOf<"checkpoint.created">): void {
    const { checkpoint, at, seq, kind = "created", turn, endOf, foreign, mixed, allMixed, keptAt } = event;
    if (kind !== "approved" || !this.#turn) this.#latest = checkpoint;
    if (keptAt) this.#places.set(checkpoint, keptAt);
    this.checkpoints.push({ id: checkpoint, at, seq, kind, turn: turn ?? endOf });
    if (kind === "approved") this.#approve(event);
    if (kind !== "after") return;
    if (turn === undefined && endOf === undefined) {
      if (this.#restore) this.#restore.after = checkpoint;
      return;
    }
    const open = turn !== undefined ? this.#turn : this.#unclosed;
    if (open?.before === undefined || open.turn !== (turn ?? endOf)) return;
    const { approved = [], ...rest } = open;
    const others = { foreign, mixed, allMixed };
    for (const span of approved) Object.assign(span, others);
    this.#spans.push({ ...rest, before: open.before, after: checkpoint, ...others });
    // One that was closed has nothing more to it.
    open.before = undefined;
  }

  /**
   * What a turn has done by then is a span of its own: only the rest of it is pending. Who else worked meanwhile is known only
   * at the end, and of the turn as a whole. If that never comes, all of it may be anybody's.
   */
  #approve({ checkpoint, seq }: EventOf<"checkpoint.created">): void {
    const open = this.#turn;
    if (open?.before === undefined) return;
    const { approved = [], ...rest } = open;
    const span = { ...rest, before: open.before, after: checkpoint, allMixed: true };
    this.#spans.push(span);
    // The next span begins right after this event.
    this.#turn = { ...rest, seq: seq + 1, before: checkpoint, approved: [...approved, span] };
  }

  #endRestore(event: EventOf<"checkpoint.restored">): void {
    if (!this.#restore) return;
    const { seq, before, after = before, planned, to, by } = this.#restore;
    const changes = restoredChanges(planned, event);
    this.#spans.push({ seq, before, after, changes });
    const taken = this.checkpoints.findLast(({ id, kind }) => id === before && kind === "restore");
    const paths = changes.slice(0, MAX_NAMED_FILES).map(({ path }) => path);
    if (taken) taken.restored = { to, files: changes.length, paths, by };
    this.#restore = undefined;
  }
}
