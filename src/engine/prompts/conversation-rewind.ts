/**
 * Takes the conversation of a session back to before a message: first what can be refused or takes long, then the log, then
 * the agent, which forgets too where it can.
 */
import type { NativePlace } from "../../core/fork-fields.ts";
import type { SessionMachine } from "../../core/session-machine.ts";
import type { AgentConnection } from "../agent/agent-connection.ts";
import type { Services } from "../engine-services.ts";
import { findRewindPlace } from "../memory/native-place.ts";
import { assertEnvironment, assertNoTurn, assertOpen } from "../session/session-assertions.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { SessionSteps } from "../session/session-steps.ts";

export interface ConversationRewindOptions {
  log: SessionLog;
  connection: AgentConnection;
  steps: Pick<SessionSteps, "attach" | "hasEnded">;
  services: Services;
  /** Ends the agent; the next prompt starts it again. */
  rest(): Promise<void>;
}

/** A rewind of which nothing has happened yet. */
export interface PreparedRewind {
  /** Throws where it is refused by now. */
  assertPossible(): void;
  /** Writes it into the log, with whatever else is written at once. */
  record(machine: SessionMachine): void;
  /** Right after `record`; waits for the commit. True if the agent forgot too. Never rejects. */
  tellAgent(): Promise<boolean>;
}

/** The first message that goes, and who takes it back. */
interface Rewound {
  readonly before: string;
  readonly by: string;
}

export class ConversationRewind {
  readonly #options: ConversationRewindOptions;

  constructor(options: ConversationRewindOptions) {
    this.#options = options;
  }

  async run(before: string, by: string): Promise<{ agentForgot: boolean; seq: number }> {
    const { log } = this.#options;
    const rewind = await this.prepare(before, by);
    rewind.assertPossible();
    const seq = log.state.head + 1;
    log.act((machine) => rewind.record(machine));
    const agentForgot = await rewind.tellAgent();
    await log.durable();
    return { agentForgot, seq };
  }

  async prepare(before: string, by: string): Promise<PreparedRewind> {
    const { log, connection, steps, services } = this.#options;
    const { state } = log;
    this.#assertPossible();
    const { rewind, fork } = connection.capabilities;
    // One that has no conversation of its own yet begins as a copy of another.
    if (fork && (connection.rewindsByFork || state.continues))
      return this.#byFork({ before, by }, await findRewindPlace(services, state.id, before));
    if (connection.isGivenHistory && connection.isDisconnected) return this.#byHistory({ before, by });
    const canForget = rewind && state.agentSessionId !== undefined;
    if (canForget && !connection.hasAgent) await steps.attach();
    return this.#byCommand({ before, by }, canForget);
  }

  #assertPossible(): void {
    const { log, connection, steps } = this.#options;
    log.assertAlive();
    assertOpen(log.state, steps.hasEnded);
    assertNoTurn(log.state);
    assertEnvironment(log.state, connection);
  }

  #byCommand({ before, by }: Rewound, canForget: boolean): PreparedRewind {
    const { log, connection } = this.#options;
    let agentForgets = false;
    return {
      assertPossible: () => this.#assertPossible(),
      record: (machine) => {
        agentForgets = canForget && connection.hasAgent;
        machine.emit({ type: "conversation.rewound", before, agentForgot: agentForgets, by });
      },
      tellAgent: async () => {
        if (agentForgets) {
          const { delivered } = await connection.send({ type: "rewind", before }, log.flush());
          if (delivered) return true;
          log.act((machine) => machine.emit({ type: "session.updated", agentMemory: "none" }));
          await this.#beginAnew("The agent could not be told to forget what was taken back");
        } else if (connection.hasAgent || log.state.agentSessionId !== undefined)
          await this.#beginAnew(`${log.state.agent} cannot forget what was taken back`);
        return false;
      },
    };
  }

  /** The next agent is given what is left, and there is nobody who could remember more. */
  #byHistory({ before, by }: Rewound): PreparedRewind {
    return {
      assertPossible: () => this.#assertPossible(),
      record: (machine) => {
        machine.emit({ type: "conversation.rewound", before, agentForgot: true, by });
        machine.emit({ type: "session.updated", agentMemory: "none" });
      },
      tellAgent: async () => {
        // One may have been started since.
        await this.#endAgent();
        return true;
      },
    };
  }

  /** The agent's next conversation begins as a copy of what is left. */
  #byFork({ before, by }: Rewound, place: "beginning" | NativePlace | undefined): PreparedRewind {
    const agentForgot = place !== undefined;
    const continues = place === "beginning" ? undefined : place;
    return {
      assertPossible: () => this.#assertPossible(),
      record: (machine) => {
        machine.emit({ type: "conversation.rewound", before, agentForgot, by });
        machine.emit({ type: "session.updated", agentMemory: "none", continues });
      },
      tellAgent: async () => {
        if (agentForgot) await this.#endAgent();
        else await this.#beginAnew("It is not known where that is in the agent's own conversation");
        return agentForgot;
      },
    };
  }

  /** Ends an agent that remembers too much. The next one is told what is left. */
  async #beginAnew(reason: string): Promise<void> {
    const text = `${reason}, so it begins a new conversation with the next prompt, and is told what is left of this one.`;
    this.#options.connection.notice("warning", "rewind", text);
    await this.#endAgent();
  }

  /** If the session is being closed, its agent is being ended already. */
  async #endAgent(): Promise<void> {
    const { connection, steps, rest } = this.#options;
    if (!connection.isDisconnected && !steps.hasEnded) await rest();
  }
}
