/** Commands → Claude Code's lines. Pure. */
import { PERMISSION_MODES, type PermissionMode } from "../../core/capability.ts";
import type { Command, CommandOf } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import { assertOffered } from "../../core/offered-settings.ts";
import type { McpServers } from "../transport/mcp-servers.ts";
import type { Encoder } from "../transport/translator.ts";
import type { ClaudeState } from "./conversation-state.ts";
import { offeredBy, SETTINGS } from "./effort-setting.ts";
import { requestLines } from "./inbound/lines.ts";
import { openingStep } from "./inbound/opening.ts";
import { promptLine, wordsLine } from "./inbound/prompt.ts";
import { isRefusal, replyResult } from "./inbound/reply.ts";
import { PERMISSIONS, settle } from "./manifest.ts";
import type { ControlResponse, OwnRequest } from "./wire.ts";

const CHANGES: readonly string[] = ["set_model", "set_permission_mode", "apply_flag_settings"];

export function createInbound(servers: McpServers): Encoder<ClaudeState> {
  return {
    open: (state) => openingStep(state, servers),
    encode,
    unansweredChanges: ({ requests, settings }) =>
      [...requests]
        .filter(
          ([, { subtype }]) =>
            CHANGES.includes(subtype) || (subtype === "get_settings" && settings !== undefined),
        )
        .map(([id]) => id),
    /** A turn that was stopped is in the conversation as far as it came; one that was killed is not. */
    shutDown(state) {
      if (!state.isWorking) return { step: "done" };
      if (state.isShuttingDown) return { step: "wait" };
      return { step: "send", lines: requestLines(state, interruptRequests(state, "leaving")) };
    },
    /** Claude Code would wait forever for an answer to a request we do not understand. */
    answer({ declined }) {
      return declined.map(({ id, subtype }) =>
        responseLine({ subtype: "error", request_id: id, error: `This client does not support ${subtype}.` }),
      );
    },
  };
}

function encode(state: ClaudeState, command: Command): string[] {
  switch (command.type) {
    case "prompt":
      return [JSON.stringify(promptLine(state, command))];
    case "interrupt":
      return requestLines(state, interruptRequests(state));
    case "reply":
      return replyLines(state, command);
    case "configure":
      return requestLines(state, configureRequests(state, command));
    case "rewind":
      throw unsupported("Claude Code forgets the end of a conversation only when it begins as a copy of it.");
    case "stopTask":
      return requestLines(state, [{ subtype: "stop_task", task_id: command.task }]);
  }
}

/** Words that follow the answer stand beside it too; there Claude Code ignores them. */
function responseLine(response: ControlResponse, words?: string): string {
  return JSON.stringify({ type: "control_response", response, ...(words && { interlingua: { words } }) });
}

/** Prompts that wait behind the running turn would begin by themselves after the stop, so they are called back. */
function interruptRequests({ prompts, isWorking }: ClaudeState, why?: "leaving"): OwnRequest[] {
  const waiting = isWorking ? prompts.filter(({ isTaken }) => !isTaken) : [];
  return [
    ...waiting.map(({ uuid }) => ({ subtype: "cancel_async_message" as const, message_uuid: uuid })),
    { subtype: "interrupt", ...(why && { interlingua: why }) },
  ];
}

function replyLines(state: ClaudeState, command: CommandOf<"reply">): string[] {
  const { ask, message } = command;
  const asked = state.asks.get(ask);
  if (!asked) {
    throw new InterlinguaError("ask_closed", "Claude Code does not wait for this answer any more.");
  }
  const response = { subtype: "success", request_id: ask, response: replyResult(asked, command) } as const;
  // A refusal carries its words itself.
  if (message === undefined || message === "" || isRefusal(command)) return [responseLine(response)];
  return [responseLine(response, message), JSON.stringify(wordsLine(state, ask, message))];
}

function configureRequests(
  { settings: known, models }: ClaudeState,
  command: CommandOf<"configure">,
): OwnRequest[] {
  const { model, settings } = command;
  const offered = model === undefined ? (known ?? SETTINGS) : offeredBy(model, models);
  assertOffered("Claude Code", offered, settings);
  const effort = settings?.effort as string | undefined;
  const isAsking = known !== undefined && (effort !== undefined || model !== undefined);
  const { permissionMode } = settle(command);
  return [
    ...(model === undefined ? [] : [{ subtype: "set_model" as const, model }]),
    ...(permissionMode === undefined
      ? []
      : [{ subtype: "set_permission_mode" as const, mode: nativeMode(permissionMode) }]),
    ...(effort === undefined
      ? []
      : [{ subtype: "apply_flag_settings" as const, settings: { effortLevel: effort } }]),
    // It accepts and ignores unknown names, and another model has other efforts: so it is asked what is in force.
    ...(isAsking ? [{ subtype: "get_settings" as const }] : []),
  ];
}

function nativeMode(name: string): string {
  const native = PERMISSIONS[name as PermissionMode];
  if (native !== undefined) return native;
  const names = PERMISSION_MODES.join(", ");
  throw unsupported(`Claude Code has no permission mode "${name}"; use one of ${names}.`);
}

function unsupported(message: string): InterlinguaError {
  return new InterlinguaError("unsupported", message);
}
