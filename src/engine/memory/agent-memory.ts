/**
 * What the agent's own conversation knows of the session's: it goes on from a copy of an earlier one, is given the history,
 * or gets a written account of it with the first prompt. The log says which.
 */
import type { BackendAdapter, ConversationPlace } from "../../core/adapter.ts";
import type { Command } from "../../core/command.ts";
import { writeAccount } from "../../core/conversation-account.ts";
import type { Message } from "../../core/message.ts";
import type { ConnectedAgent } from "../agent/connect-agent.ts";
import type { Services } from "../engine-services.ts";
import type { SecretMask } from "../secrets/secret-mask.ts";
import type { SessionLog } from "../session/session-log.ts";
import { conversationHistory } from "./conversation-history.ts";
import { findStartingPlace } from "./native-place.ts";

const ACCOUNT_NOTICE = "It gets a written account of the conversation so far with the next prompt.";

export interface AgentMemoryOptions {
  log: SessionLog;
  adapter: BackendAdapter;
  services: Services;
  notice(level: "info" | "warning", code: string, text: string): void;
}

export class AgentMemory {
  readonly #log: SessionLog;
  readonly #adapter: BackendAdapter;
  readonly #services: Services;
  readonly #notice: AgentMemoryOptions["notice"];
  /** For an agent that does not have the conversation: goes out with the first prompt. */
  #account: string | undefined;

  constructor({ log, adapter, services, notice }: AgentMemoryOptions) {
    this.#log = log;
    this.#adapter = adapter;
    this.#services = services;
    this.#notice = notice;
  }

  /** Where the agent's conversation begins as a copy of another; undefined if it does not. */
  startingPlace(): Promise<ConversationPlace | undefined> {
    return findStartingPlace(this.#services, this.#log.state);
  }

  /** The conversation, newest message first. */
  async *history(): AsyncGenerator<Message, void> {
    // What was just taken back must not be in it.
    await this.#log.flush();
    yield* conversationHistory(this.#services.store, this.#log.state);
  }

  /** Prepares what an agent that was just connected has to be told. */
  async prepare({ resumeProblem, forked }: ConnectedAgent): Promise<void> {
    const isNew = resumeProblem !== undefined || this.#log.state.agentMemory === "none";
    const isTold = isNew && !forked && !this.#adapter.takesHistory;
    this.#account = isTold ? await writeAccount(this.history()) : undefined;
  }

  /** Says in the log what the agent's new conversation knows of the one so far. */
  report({ resumeProblem, forked }: ConnectedAgent): void {
    const { agentMemory } = this.#log.state;
    if (resumeProblem !== undefined) {
      // Until it has answered, each start begins anew.
      if (agentMemory === undefined)
        this.#log.act((machine) => machine.emit({ type: "session.updated", agentMemory: "none" }));
      const reason = resumeProblem.replace(/\.$/, "");
      const told = this.#account === undefined ? "" : ` ${ACCOUNT_NOTICE}`;
      const text = `The agent does not remember the conversation so far: ${reason}.${told}`;
      this.#notice("warning", "resume", text);
    } else if (forked) this.#notice("info", "fork", "The agent goes on from a copy of its own conversation.");
    else if (agentMemory === "none" && this.#adapter.takesHistory)
      this.#notice("info", "history", "The agent began a new conversation and was given the history.");
    else if (this.#account !== undefined)
      this.#notice("info", "history", `The agent began a new conversation. ${ACCOUNT_NOTICE}`);
  }

  /** The command with the account before it, where that has to go out. Then call `told` once it is delivered. */
  tellWith(command: Command, mask: SecretMask): Command {
    if (command.type !== "prompt" || this.#account === undefined) return command;
    return { ...command, parts: [{ type: "text", text: mask.reveal(this.#account) }, ...command.parts] };
  }

  told(): void {
    this.#account = undefined;
  }
}
