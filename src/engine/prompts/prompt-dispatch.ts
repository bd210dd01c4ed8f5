/** Gives a prompt to the agent, with what it has to know before; it leaves after the event that records it is committed. */
import { APPROVAL_COMMAND } from "../../core/approval-command.ts";
import { DAEMON_NAME } from "../../core/built-in-names.ts";
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import type { TurnError } from "../../core/event.ts";
import { type PromptPart, promptText } from "../../core/prompt-part.ts";
import { restoredFilesNote } from "../../core/restored-files.ts";
import { type Access, hasRight } from "../../core/rights.ts";
import type { AgentConnection } from "../agent/agent-connection.ts";
import { type AskingSession, assertMayGive, commandIn } from "../asks/asking-checks.ts";
import type { CheckpointBefore, SessionCheckpoints } from "../files/session-checkpoints.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { TurnWatch } from "../session/turn-watch.ts";
import { notContinued } from "./continue-turn.ts";
import { TypedPlaceholders } from "./typed-placeholders.ts";

export interface PromptDispatchOptions {
  log: SessionLog;
  connection: AgentConnection;
  checkpoints: Pick<SessionCheckpoints, "recordBefore">;
  watch: Pick<TurnWatch, "running">;
  now(): number;
  /** Called when a prompt has come back, or its turn has failed: the log says so already. */
  changed(): void;
}

export class PromptDispatch {
  readonly #options: PromptDispatchOptions;
  readonly #typed = new TypedPlaceholders();
  /** Who wrote the prompts that wait, as far as they may not give every command. Nobody knows it after a restart. */
  readonly #authors = new Map<string, Access>();

  constructor(options: PromptDispatchOptions) {
    this.#options = options;
  }

  /** Remembers of a prompt that waits what its log does not say. */
  note(message: string, parts: readonly PromptPart[], author: Access): void {
    this.#typed.note(message, this.#options.connection.mask.unknownIn(parts));
    if (hasRight(author, "session.bypass")) this.#authors.delete(message);
    else this.#authors.set(message, author);
  }

  forget(message: string): void {
    this.#typed.forget(message);
    this.#authors.delete(message);
  }

  /** Why the agent cannot get the prompt as it is. It may have listed commands since the prompt was accepted. */
  refusalOf(message: string, parts: readonly PromptPart[]): TurnError | undefined {
    const { log, connection } = this.#options;
    const author = this.#authors.get(message);
    try {
      if (author) assertMayGive(author, commandIn({ agent: connection.agent, state: log.state }, parts));
    } catch (error) {
      if (!InterlinguaError.isInstance(error)) throw error;
      return { code: error.code, message: error.message };
    }
    const lost = this.#typed.others(message, connection.mask.unknownIn(parts));
    if (lost.length === 0) return undefined;
    const names = lost.join(", ");
    return {
      code: "env_required",
      message: `The value of ${names} is no longer known. Send the prompt again, with the value.`,
    };
  }

  /**
   * Begins a turn with the prompt, after the checkpoint of the files before it. Where there can be no turn the prompt is
   * withdrawn, or nothing is done and the reason is given.
   */
  begin(message: string, parts: readonly PromptPart[], before?: CheckpointBefore): TurnError | undefined {
    if (this.#withdrawForgotten(message)) return undefined;
    const refusal = this.refusalOf(message, parts);
    this.forget(message);
    if (!refusal) this.#send({ message, parts, before });
    return refusal;
  }

  /** Gives the prompt to the running turn. It may come back. */
  steer(message: string, parts: readonly PromptPart[]): void {
    if (!this.#withdrawForgotten(message)) this.#send({ message, parts, steer: true });
  }

  /** Whether the prompt continues a turn that the agent, which was started anew, knows nothing of. Then it is withdrawn. */
  #withdrawForgotten(message: string): boolean {
    const { log } = this.#options;
    const { agentMemory, queue } = log.state;
    const prompt = queue.find((queued) => queued.message === message);
    if (prompt?.continuesTurn === undefined || agentMemory !== "none") return false;
    log.act((machine) => {
      machine.emit({ type: "prompt.withdrawn", message, by: DAEMON_NAME });
      notContinued(machine, "The agent does not remember it.");
    });
    return true;
  }

  #send({ message, parts, steer = false, before }: DispatchedPrompt): void {
    const { log, connection, checkpoints, watch, now, changed } = this.#options;
    const note = steer ? undefined : noteFor(log, connection, parts);
    const notice = approvalNotice({ agent: connection.agent, state: log.state }, parts);
    log.act((machine) => {
      if (notice) machine.apply(notice);
      const checkpoint = before && checkpoints.recordBefore(machine, before);
      machine.dispatch(message, { steer, checkpoint, note });
      connection.tellStartNotices(machine);
    });
    const turn = log.state.turn?.id;
    connection.lastHeardAt = now();
    watch.running();
    const command = {
      type: "prompt" as const,
      message,
      parts: connection.mask.reveal([
        ...(note === undefined ? [] : [{ type: "text" as const, text: note }]),
        ...parts,
      ]),
      ...(steer && { steer }),
    };
    void connection.send(command, log.flush()).then((result) => {
      // An agent that is gone has ended the turn by itself.
      if (result.delivered || !connection.hasAgent || log.state.turn?.id !== turn) return;
      const reason = connection.mask.text(
        `The prompt could not be given to the agent: ${errorText(result.error)}`,
      );
      log.act((machine) => {
        if (steer) machine.apply({ type: "prompt.returned", message, reason });
        else machine.endTurn("failed", { code: "not_delivered", message: reason });
      });
      changed();
    });
  }
}

interface DispatchedPrompt {
  readonly message: string;
  readonly parts: readonly PromptPart[];
  /** Into the turn that runs. */
  readonly steer?: boolean;
  readonly before?: CheckpointBefore;
}

/** For a command that can change what the agent asks about: not every agent says that it has stopped asking. */
export function approvalNotice(session: AskingSession, parts: readonly PromptPart[]) {
  const found = commandIn(session, parts);
  if (found?.right !== "session.bypass") return undefined;
  const text = `${found.command} can change what the agent asks about.`;
  return { type: "notice", level: "info", code: APPROVAL_COMMAND, text } as const;
}

/** Which files went back since the agent last heard. A command of the agent's own stands first in its prompt. */
function noteFor(
  { state }: SessionLog,
  { mask }: AgentConnection,
  parts: readonly PromptPart[],
): string | undefined {
  if (!state.restoredFiles || promptText(parts).startsWith("/")) return undefined;
  return mask.text(restoredFilesNote(state.restoredFiles));
}
