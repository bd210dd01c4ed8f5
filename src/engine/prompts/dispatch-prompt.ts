/** Gives a prompt to the agent, with what it has to know before; it leaves after the event that records it is committed. */
import { APPROVAL_COMMAND } from "../../core/approval-command.ts";
import { errorText } from "../../core/error-text.ts";
import { type PromptPart, promptText } from "../../core/prompt-part.ts";
import { restoredFilesNote } from "../../core/restored-files.ts";
import type { AgentConnection } from "../agent/agent-connection.ts";
import { type AskingSession, commandIn } from "../asks/asking-checks.ts";
import type { SessionCheckpoints } from "../files/session-checkpoints.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { TurnWatch } from "../session/turn-watch.ts";

export interface DispatchPromptOptions {
  log: SessionLog;
  connection: AgentConnection;
  checkpoints: Pick<SessionCheckpoints, "recordBefore">;
  watch: Pick<TurnWatch, "running">;
  now(): number;
}

export interface DispatchedPrompt {
  readonly message: string;
  readonly parts: readonly PromptPart[];
  /** Into the turn that runs. */
  readonly steer: boolean;
}

/** `onReturned` is called if the agent did not take it; the log says so already. */
export function dispatchPrompt(
  { log, connection, checkpoints, watch, now }: DispatchPromptOptions,
  { message, parts, steer }: DispatchedPrompt,
  onReturned: () => void,
): void {
  const note = steer ? undefined : noteFor(log, connection, parts);
  const notice = approvalNotice({ agent: connection.agent, state: log.state }, parts);
  log.act((machine) => {
    if (notice) machine.apply(notice);
    const checkpoint = steer ? undefined : checkpoints.recordBefore(machine, message);
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
    onReturned();
  });
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
