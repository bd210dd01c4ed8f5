/**
 * Takes what one agent process says into the log: masked, within limits, long lines in slices. The end of a turn comes only
 * when what has to be waited for is in the log.
 */
import type { AgentOutput } from "../../core/adapter.ts";
import { boundDraft } from "../../core/bound-draft.ts";
import type { Draft } from "../../core/draft.ts";
import type { RawDraft } from "../../core/raw-record.ts";
import type { SessionMachine } from "../../core/session-machine.ts";
import { typedDraft } from "../../core/typed-draft.ts";
import { withDeadline } from "../asks/ask-expiry.ts";
import { AskIds } from "../asks/ask-ids.ts";
import type { Services } from "../engine-services.ts";
import type { SecretMask } from "../secrets/secret-mask.ts";
import type { SessionLog } from "../session/session-log.ts";

export interface Exit {
  code?: number | null;
  signal?: string | null;
  stderr?: string;
  /** The connection was lost; the agent may be well. */
  isLost?: boolean;
}

export interface OutputIntakeOptions {
  log: SessionLog;
  mask: SecretMask;
  services: Pick<Services, "limits" | "now" | "slices" | "counters">;
  agent: string;
  /** Which process of the session it is. */
  generation: number;
  /** Whether the agent is gone: what it said is not wanted any more. */
  isOver(): boolean;
  /** The agent says something. */
  hears(): void;
  /** Shows proposed edits where they stand in their files. Undefined where there are none. Never rejects. */
  locate?(drafts: readonly Draft[]): Promise<readonly Draft[]> | undefined;
  /** Adds what the agent does not know about the end of its turn. */
  explain(draft: Draft): Draft;
  /** The agent said something; it is in the log already. */
  heard(drafts: readonly Draft[]): void;
  /** What has to be waited for before the log says that the turn has ended. Never rejects. */
  turnEnding(): Promise<void> | undefined;
}

export class OutputIntake {
  readonly #options: OutputIntakeOptions;
  readonly #askIds = new AskIds();
  #exit: Exit = {};
  #taking: Promise<void> | undefined;

  constructor(options: OutputIntakeOptions) {
    this.#options = options;
  }

  /** How the process ended, as far as it is known. */
  get exit(): Exit {
    return this.#exit;
  }

  /** Resolves when the output that takes a while is in the log; what the agent said after it was not read yet. */
  get taking(): Promise<void> | undefined {
    return this.#taking;
  }

  /** The agent's own id of an ask. */
  nativeAsk(ask: string): string {
    return this.#askIds.native(ask);
  }

  /** Nothing more may be taken until what it returns has resolved. */
  take(output: AgentOutput): Promise<void> | undefined {
    const { mask, hears, locate } = this.#options;
    hears();
    const locating = locate?.(output.drafts);
    const taking =
      locating || mask.isLong(output.raw)
        ? this.#takeInSlices(output, locating)
        : this.#take(output, mask.record(output.raw));
    if (!taking) return undefined;
    this.#taking = taking.finally(() => {
      this.#taking = undefined;
    });
    return this.#taking;
  }

  /** The agent is gone: what was held back of its text goes into the log. */
  release(machine: SessionMachine): void {
    this.#applyAll(machine, this.#options.mask.release());
  }

  async #takeInSlices(output: AgentOutput, locating?: Promise<readonly Draft[]>): Promise<void> {
    const { mask, services, hears, isOver } = this.#options;
    const drafts = ((await locating) ?? output.drafts).map(typedDraft);
    // Reading it has taken a while already.
    await services.slices.next();
    const masked = await mask.inSlices(output.raw, drafts, services.slices);
    hears();
    if (!isOver()) await this.#take(output, masked.raw, masked.drafts);
  }

  /** Without `masked` the drafts are masked one by one. */
  #take(
    { raw, drafts, unread }: AgentOutput,
    record: RawDraft,
    masked?: readonly Draft[],
  ): Promise<void> | undefined {
    const { log, generation, heard, isOver } = this.#options;
    const rawSeq = log.record(record, generation);
    if (raw.direction === "process" && raw.data.event === "exit") this.#exit = raw.data as Exit;
    if (unread) for (const native of unread) this.#countUnread(native);
    if (drafts.length === 0) return undefined;
    if (masked) for (const draft of drafts) this.#note(typedDraft(draft));
    const remaining: Remaining = { drafts: masked ?? drafts, place: 0, isMasked: masked !== undefined };
    const ending = this.#apply(remaining, rawSeq, true);
    if (!ending) return void heard(drafts);
    return ending.then(() => {
      if (isOver()) return;
      this.#apply(remaining, rawSeq, false);
      heard(drafts);
    });
  }

  /** Stops before the end of a turn that has to wait. */
  #apply(remaining: Remaining, rawSeq: number, mayWait: boolean): Promise<void> | undefined {
    const { log, mask, turnEnding } = this.#options;
    let ending: Promise<void> | undefined;
    log.act((machine) => {
      for (; remaining.place < remaining.drafts.length; remaining.place += 1) {
        const given = remaining.drafts[remaining.place]!;
        const draft = remaining.isMasked ? given : typedDraft(given);
        if (mayWait && draft.type === "turn.ended" && this.#endsTurn(draft)) {
          ending = turnEnding();
          if (ending) return;
        }
        if (remaining.isMasked) {
          this.#applyBounded(machine, draft, rawSeq);
          continue;
        }
        this.#note(draft);
        this.#applyAll(machine, mask.draft(draft), rawSeq);
      }
    });
    return ending;
  }

  #endsTurn({ origin }: Extract<Draft, { type: "turn.ended" }>): boolean {
    const { turn } = this.#options.log.state;
    return turn !== undefined && (origin === undefined || origin === turn.origin);
  }

  #applyAll(machine: SessionMachine, drafts: Iterable<Draft>, rawSeq?: number): void {
    for (const draft of drafts) this.#applyBounded(machine, draft, rawSeq);
  }

  #applyBounded(machine: SessionMachine, draft: Draft, rawSeq?: number): void {
    const { services, explain } = this.#options;
    const { limits, now } = services;
    for (const bounded of boundDraft(explain(draft), limits.maxToolOutputBytes))
      machine.apply(withDeadline(bounded, limits.askTimeoutMs, now), rawSeq);
  }

  #note(draft: Draft): void {
    if (draft.type === "agent.unknown") {
      this.#options.services.counters.unknownNative += 1;
      this.#countUnread(draft.native);
    }
    if (draft.type === "ask.opened") this.#askIds.note(draft.ask);
  }

  /** The metrics show these names. */
  #countUnread(native: string): void {
    const { services, agent, mask } = this.#options;
    services.counters.unread.add(agent, mask.text(native));
  }
}

/** Drafts that are not in the log yet, from a place on. */
interface Remaining {
  readonly drafts: readonly Draft[];
  place: number;
  readonly isMasked: boolean;
}
