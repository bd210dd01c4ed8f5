/** Our requests to Codex → the commands they carried: the inverse of inbound.ts. Pure. */
import { pathToFileURL } from "node:url";
import type { Command, CommandOf } from "../../core/command.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { type RpcParams, type RpcRequest, readMessage } from "../transport/json-rpc.ts";
import { noteOf } from "../transport/json-rpc-lines.ts";
import { parseLine } from "../transport/line-text.ts";
import type { DecodeCommands } from "../transport/translator.ts";
import type { CodexState } from "./conversation-state.ts";
import { fromNativeMode, PERMISSIONS } from "./manifest.ts";
import { approvalOf } from "./outbound/elicitation.ts";
import { OPENING_NOTE, TASK_NOTE, WORDS_NOTE } from "./request-notes.ts";
import type { WireCollaborationMode, WireInput } from "./wire.ts";

export const decodeCommands: DecodeCommands<CodexState> = (state, { direction, data }) => {
  if (direction !== "out" || typeof data !== "string") return [];
  const line = parseLine(data);
  if (line.kind !== "message") return [];
  const message = readMessage(line.message);
  if (message.kind === "result") {
    const asked = state.rpc.asked.get(String(message.id));
    return asked ? [toReply(asked, (message.result ?? {}) as RpcParams)] : [];
  }
  if (message.kind !== "request" || message.params.threadId !== state.thread) return [];
  return toCommands(state, message);
};

function toCommands(state: CodexState, { id, method, params }: RpcRequest): readonly Command[] {
  switch (method) {
    case "turn/start":
      return [toPrompt(params)];
    case "turn/steer":
      return noteOf(id) === WORDS_NOTE ? [] : [{ ...toPrompt(params), steer: true }];
    case "turn/interrupt":
      return [{ type: "interrupt" }];
    case "thread/settings/update":
      return noteOf(id) === OPENING_NOTE ? [] : [toConfigure(params)];
    case "thread/backgroundTerminals/list":
    case "thread/backgroundTerminals/terminate":
      return toStopTask(noteOf(id));
    case "thread/turns/list":
    case "thread/revert":
      return toRewind(state, noteOf(id), params);
    default:
      return [];
  }
}

function toStopTask(note: string | undefined): readonly Command[] {
  return note?.startsWith(TASK_NOTE) ? [{ type: "stopTask", task: note.slice(TASK_NOTE.length) }] : [];
}

/** It begins with the request that looks for the turn, or goes back at once to a turn that is known. */
function toRewind(
  { rewinding, turnOf }: CodexState,
  note: string | undefined,
  params: RpcParams,
): readonly Command[] {
  if (rewinding) return [];
  const before = note ?? [...turnOf].find(([, turn]) => turn === params.beforeTurnId)?.[0];
  return before === undefined ? [] : [{ type: "rewind", before }];
}

function toPrompt({ clientUserMessageId: id, input }: RpcParams): CommandOf<"prompt"> {
  const parts = (input as WireInput[] | undefined)?.flatMap(toPart) ?? [];
  return { type: "prompt", message: typeof id === "string" ? id : "", parts };
}

function toPart(input: WireInput): PromptPart[] {
  const { url, ...given } = input.interlingua ?? {};
  if (input.type === "image") {
    return [{ type: "file", url: input.url, mediaType: mediaTypeOf(input.url), ...given }];
  }
  if (url !== undefined) return [{ type: "file", url, mediaType: "application/octet-stream", ...given }];
  if (input.type === "text") return [{ type: "text", text: input.text }];
  if (input.type !== "localImage") return [];
  return [{ type: "file", url: pathToFileURL(input.path).href, mediaType: "image/*" }];
}

function mediaTypeOf(url: string): string {
  return /^data:([^;,]+)/.exec(url)?.[1] ?? "image/*";
}

/** A permission mode of ours decides the mode too; then that was not asked for. */
function toConfigure(params: RpcParams): CommandOf<"configure"> {
  const { model, approvalPolicy, permissions } = params;
  const mode = (params.collaborationMode as WireCollaborationMode | null | undefined)?.mode;
  const [permissionMode] =
    Object.entries(PERMISSIONS).find(
      ([, native]) =>
        native.approvalPolicy === approvalPolicy && native.profile === permissions && native.mode === mode,
    ) ?? [];
  return {
    type: "configure",
    ...(typeof model === "string" && { model }),
    ...(permissionMode === undefined
      ? mode !== undefined && { mode: fromNativeMode(mode) }
      : { permissionMode }),
  };
}

function toReply({ id, method, params }: RpcRequest, result: RpcParams): CommandOf<"reply"> {
  const { message } = (result.interlingua ?? {}) as { message?: string };
  const reply = { type: "reply" as const, ask: String(id), message };
  switch (method) {
    case "item/tool/requestUserInput": {
      const given = Object.entries((result.answers ?? {}) as Record<string, { answers: string[] }>);
      return { ...reply, answers: Object.fromEntries(given.map(([name, { answers }]) => [name, answers])) };
    }
    case "item/permissions/requestApproval":
      return { ...reply, option: grantOption(result) };
    case "mcpServer/elicitation/request":
      return { ...reply, ...elicitationAnswer(params, result) };
    default: {
      const { decision } = result;
      return { ...reply, option: typeof decision === "string" ? decision : Object.keys(decision ?? {})[0] };
    }
  }
}

function grantOption({ permissions, scope }: RpcParams): string {
  if (Object.keys(permissions ?? {}).length === 0) return "decline";
  return scope === "session" ? "acceptForSession" : "accept";
}

function elicitationAnswer(asked: RpcParams, { action, content, _meta: meta }: RpcParams) {
  if (action !== "accept") return { option: action === "cancel" ? "cancel" : "decline" };
  const { persist } = (meta ?? {}) as { persist?: string };
  if (approvalOf(asked) || typeof asked.url === "string") return { option: persist ?? "accept" };
  const fields = Object.entries((content ?? {}) as Record<string, unknown>);
  return { answers: Object.fromEntries(fields.map(([name, value]) => [name, [String(value)]])) };
}
