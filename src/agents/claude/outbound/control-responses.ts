/** What Claude Code answered to our control requests. */
import type { Draft } from "../../../core/draft.ts";
import { type ClaudeState, withoutEntry } from "../conversation-state.ts";
import { fromNativeMode } from "../manifest.ts";
import { isOwnRequestId } from "../request-id.ts";
import type { ControlResponseLine, InitializeResult, OwnRequest, WireCommand } from "../wire.ts";
import { readCancellation } from "./prompts.ts";
import { isRecord, textField } from "./tool-words.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];

/** Undefined when it answers nothing we asked. It repeats our answers to its own requests; these say nothing new. */
export function readControlResponse(state: ClaudeState, line: ControlResponseLine): Translation | undefined {
  const { response } = line;
  const request = state.requests.get(response.request_id);
  if (!request) return isOwnRequestId(response.request_id) ? undefined : [state, []];
  const next = { ...state, requests: withoutEntry(state.requests, response.request_id) };
  if (response.subtype === "error") return readRefusal(next, request, response.error);
  const payload = isRecord(response.response) ? response.response : {};
  switch (request.subtype) {
    case "initialize":
      return [
        { ...next, opening: "ready", hasCommands: true, isSignedIn: isSignedIn(payload as InitializeResult) },
        [attached(state, payload as InitializeResult)],
      ];
    case "mcp_set_servers":
      return [next, brokenServers(payload)];
    case "set_model": {
      const model = textField(payload, "model");
      return [next, model === undefined ? [] : [{ type: "session.updated", model }]];
    }
    case "set_permission_mode": {
      const mode = textField(payload, "mode");
      return [
        next,
        mode === undefined ? [] : [{ type: "session.updated", permissionMode: fromNativeMode(mode) }],
      ];
    }
    case "cancel_async_message":
      return payload.cancelled === true ? readCancellation(next, request.message_uuid) : [next, []];
    default:
      return [next, []];
  }
}

function readRefusal(state: ClaudeState, request: OwnRequest, error: string): Translation {
  switch (request.subtype) {
    case "initialize":
      return [{ ...state, opening: { failed: error } }, []];
    case "set_model":
    case "set_permission_mode":
    case "set_max_thinking_tokens":
      return [state, [{ type: "notice", level: "warning", code: "configure", text: error }]];
    default:
      return [state, []];
  }
}

function isSignedIn({ account }: InitializeResult): boolean | undefined {
  if (account?.apiProvider !== "firstParty" || account.tokenSource === undefined) return undefined;
  return account.tokenSource !== "none" || account.apiKeySource !== undefined;
}

function brokenServers({ errors }: Readonly<Record<string, unknown>>): Draft[] {
  return Object.entries(isRecord(errors) ? errors : {}).map(([name, error]) => ({
    type: "notice",
    level: "warning",
    code: "mcp",
    text: `The MCP server "${name}" cannot be used: ${error}`,
  }));
}

function attached({ resumed }: ClaudeState, result: InitializeResult): Draft {
  const { claude_code_version: version, current_permission_mode: mode, models, commands } = result;
  return {
    type: "session.attached",
    ...(version !== undefined && { agentVersion: version }),
    ...(mode !== undefined && { permissionMode: fromNativeMode(mode) }),
    ...(resumed !== undefined && { agentSessionId: resumed, resumed: true }),
    ...(models && {
      models: models.map(({ value: id, displayName: name, description }) => ({ id, name, description })),
    }),
    ...(commands && { commands: commands.map(toCommand) }),
  };
}

export function toCommand({ name, description, argumentHint }: WireCommand) {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(argumentHint && { hint: argumentHint }),
  };
}
