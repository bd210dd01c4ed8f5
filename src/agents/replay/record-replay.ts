/**
 * Makes a log of raw records: what people did is decoded from the lines to the agent, what the agent said is
 * translated, and the session machine makes events of both, as it did live.
 */
import { boundDraft } from "../../core/bound-draft.ts";
import type { Command, CommandOf } from "../../core/command.ts";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import { partsWithoutPreface } from "../../core/prompt-preface.ts";
import { NEVER_READY, type RawRecord } from "../../core/raw-record.ts";
import { SessionMachine } from "../../core/session-machine.ts";
import { emptyState } from "../../core/session-state.ts";
import { shortId } from "../../core/short-id.ts";
import { MAX_TOOL_OUTPUT_BYTES } from "../../core/truncate-output.ts";
import { typedDraft } from "../../core/typed-draft.ts";
import { withoutUndefined } from "../../core/without-undefined.ts";
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import { translateRecord } from "../transport/translate-record.ts";

export interface ReplayOptions {
  /** The id of the session the events are of. */
  readonly session?: string;
  /** What the records do not tell about the session. */
  readonly created?: Omit<EventOf<"session.created">, "session" | "seq" | "at" | "type">;
  /** Gives the ids of messages that have none of their own; they are counted when left out. */
  newId?(): string;
  /** Longer tool outputs are cut. */
  readonly maxToolOutputBytes?: number;
}

/** Who answered, stopped or asked is not in the records. */
const SOMEBODY = "client";

const UNPROMPTED = { cause: "output", text: "The agent went on by itself." };

/** Pure but for its own state: the same records give the same events. */
export class RecordReplay<State> {
  readonly #protocol: AgentProtocol<State>;
  readonly #options: ReplayOptions;
  readonly #machine: SessionMachine;
  #state: State;
  #generation: number | undefined;
  #at = 0;
  #messages = 0;
  #prompts = 0;
  /** The ids of prompts, in order: a line may come twice, a message may not. */
  readonly #known = new Set<string>();
  /** Prompts that wait inside the agent. One it has given back is sent again, or never. */
  readonly #inAgent = new Set<string>();

  constructor(protocol: AgentProtocol<State>, options: ReplayOptions = {}) {
    this.#protocol = protocol;
    this.#options = options;
    this.#state = protocol.translator.initial;
    this.#machine = new SessionMachine(emptyState(options.session ?? "replay"), {
      now: () => this.#at,
      messageId: () => this.#newMessageId(),
    });
    this.#machine.saysTaken = protocol.capabilities.reportsSteering;
  }

  /** The events of the next record. Throws where the agent speaks a version of its protocol that nobody here does. */
  add(record: RawRecord): SessionEvent[] {
    // A start that failed made no event: the engine only ended a turn with its error.
    if (record.generation === NEVER_READY) return [];
    this.#at = record.at;
    if (record.generation !== this.#generation) this.#beginGeneration(record.generation);
    this.#machine.from(record.rawSeq, () => {
      for (const command of this.#decodeCommands(record)) this.#perform(command);
    });
    const [state, drafts] = translateRecord(this.#protocol.translator, this.#state, record);
    this.#state = state;
    const refusal = this.#protocol.refuses?.(state);
    if (refusal !== undefined) throw new Error(refusal);
    const limit = this.#options.maxToolOutputBytes ?? MAX_TOOL_OUTPUT_BYTES;
    for (const draft of drafts) {
      for (const bounded of boundDraft(typedDraft(draft), limit)) this.#machine.apply(bounded, record.rawSeq);
    }
    this.#machine.from(record.rawSeq, () => {
      if (isExit(record) && !this.#protocol.processPerTurn) this.#detach(record.data);
      if (this.#protocol.tellsExit?.(record)) this.#detach({});
      this.#dispatchNext();
    });
    return this.#machine.take();
  }

  /** A turn for the next record, where none runs and nothing told who began it. */
  beginTurn({ generation, at }: Pick<RawRecord, "generation" | "at">): SessionEvent[] {
    this.#at = at;
    if (generation !== this.#generation) this.#beginGeneration(generation);
    this.#machine.apply({ type: "turn.started", ...UNPROMPTED });
    return this.#machine.take();
  }

  /** The events at the end of the records, where nothing follows: the agent is gone. */
  end(): SessionEvent[] {
    this.#detach({});
    return this.#machine.take();
  }

  #beginGeneration(generation: number): void {
    if (this.#generation === undefined) {
      this.#machine.create(this.#options.created ?? { agent: this.#protocol.name, cwd: "/" });
    } else {
      // Nobody recorded how the process before ended.
      this.#detach({});
      this.#state = this.#protocol.translator.initial;
    }
    this.#generation = generation;
  }

  #decodeCommands(record: RawRecord): readonly Command[] {
    try {
      return this.#protocol.decodeCommands(this.#state, record);
    } catch {
      // A line that is not what the agent's client would send. The translator is shown it too.
      return [];
    }
  }

  #perform(command: Command): void {
    const machine = this.#machine;
    switch (command.type) {
      case "prompt":
        return this.#prompt(command);
      case "interrupt":
        return machine.stopping(SOMEBODY);
      case "reply":
        return this.#reply(command);
      case "configure":
      case "stopTask":
        // What came of it the agent tells itself.
        return;
      case "rewind":
        return this.#rewind(command.before);
    }
  }

  /** The agent has the prompt: it steers the running turn, begins one, or waits inside the agent for the end of one. */
  #prompt({ message: named, parts, steer }: CommandOf<"prompt">): void {
    const machine = this.#machine;
    if (machine.state.queue.some((waiting) => waiting.message === named)) {
      return machine.dispatch(named, { steer });
    }
    const message = named === "" || this.#known.has(named) ? this.#newPromptId() : named;
    this.#known.add(message);
    const isBusy = machine.state.turn !== undefined;
    const canSteer = steer ?? this.#protocol.capabilities.steer;
    machine.acceptPrompt(
      message,
      partsWithoutPreface(parts),
      steer || (isBusy && canSteer) ? "steer" : "queue",
    );
    if (isBusy && steer === undefined && !canSteer) {
      this.#inAgent.add(message);
      return;
    }
    machine.dispatch(message, { steer: canSteer });
  }

  /** Only between turns, and not to a message from before the recording. What is taken back is free again. */
  #rewind(before: string): void {
    const known = [...this.#known];
    const place = known.indexOf(before);
    if (place < 0 || this.#machine.state.turn) return;
    for (const message of known.slice(place)) this.#known.delete(message);
    this.#machine.emit({ type: "conversation.rewound", before, agentForgot: true });
  }

  #dispatchNext(): void {
    const { turn, queue } = this.#machine.state;
    if (turn) return;
    const next = queue.find(({ message }) => this.#inAgent.has(message));
    if (next) this.#machine.dispatch(next.message);
  }

  #reply({ type: _type, ask: native, effect: _effect, ...answer }: CommandOf<"reply">): void {
    const machine = this.#machine;
    const ask = machine.state.nativeAsks.get(shortId(native));
    if (ask === undefined) return;
    machine.answerAsk(ask, withoutUndefined(answer), SOMEBODY);
    if (!this.#protocol.confirmsAnswers) machine.closeAsk(ask, "answered", true);
  }

  #detach(exit: { code?: unknown; signal?: unknown }): void {
    const { code, signal } = exit as { code?: number | null; signal?: string | null };
    const crashed = this.#machine.state.turn !== undefined && code !== 0;
    this.#machine.detach(crashed ? "crash" : "exit", withoutUndefined({ code, signal }));
  }

  #newMessageId(): string {
    this.#messages += 1;
    return this.#options.newId?.() ?? `m${this.#messages}`;
  }

  #newPromptId(): string {
    this.#prompts += 1;
    return this.#options.newId?.() ?? `u${this.#prompts}`;
  }
}

function isExit(record: RawRecord): record is RawRecord & { data: { code?: unknown; signal?: unknown } } {
  return typeof record.data !== "string" && record.data.event === "exit";
}
