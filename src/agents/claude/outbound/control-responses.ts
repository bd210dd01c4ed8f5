/** What Claude Code answered to our control requests. */
import type { Draft } from "../../../core/draft.ts";
import { isRecord } from "../../../core/is-record.ts";
import { withoutEntry } from "../../transport/map-entry.ts";
import { inMode } from "../../transport/shared-modes.ts";
import type { ClaudeState } from "../conversation-state.ts";
import { settingsOf } from "../effort-setting.ts";
import { fromNativeMode } from "../manifest.ts";
import { isOwnRequestId } from "../request-id.ts";
import type {
  ControlResponseLine,
  InitializeResult,
  OwnRequest,
  SettingsResult,
  WireCommand,
} from "../wire.ts";
import { readCancellation } from "./prompts.ts";
import { textField } from "./tool-display.ts";

const NO_BYPASS =
  "Claude Code was not started so that its permission checks can be switched off. For root it never is, unless IS_SANDBOX=1 in the daemon's environment says that this machine is a sandbox.";

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
      return readInitialized(next, payload as InitializeResult);
    case "mcp_set_servers":
      return [next, brokenServers(payload)];
    case "set_model": {
      const model = textField(payload, "model") ?? request.model;
      return [{ ...next, model }, [{ type: "session.updated", model }]];
    }
    case "get_settings":
      return readSettings(next, payload as SettingsResult);
    case "set_permission_mode":
      return withPermissionMode(next, textField(payload, "mode") ?? request.mode);
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
      return [state, [refusal(error)]];
    case "set_permission_mode":
      return [state, [refusal(modeRefusal(error))]];
    case "apply_flag_settings":
      return [state, [refusal(error)]];
    case "stop_task":
      return [state, [{ type: "notice", level: "warning", code: "task", text: error }]];
    case "get_settings":
      // An older version: nothing is known of its settings, so none are offered.
      return [{ ...state, settings: state.settings ?? [] }, []];
    default:
      return [state, []];
  }
}

/** We start it so that every mode can be set, except where it would not start then. */
function modeRefusal(error: string): string {
  return error.includes("was not launched with --dangerously-skip-permissions") ? NO_BYPASS : error;
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

function refusal(text: string): Draft {
  return { type: "notice", level: "warning", code: "configure", text };
}

/** Before the first turn nothing else tells which model is in force. */
function readSettings(state: ClaudeState, result: SettingsResult): Translation {
  const settings = settingsOf(result, state.models);
  const model = state.model ?? result.applied?.model;
  const isNews = model !== undefined && state.model === undefined;
  return [{ ...state, settings, model }, [{ type: "session.updated", settings, ...(isNews && { model }) }]];
}

/** A mode that was set, by us or by Claude Code itself. */
export function withPermissionMode(state: ClaudeState, native: string): Translation {
  const permissionMode = fromNativeMode(native);
  return [{ ...state, permissionMode }, [{ type: "session.updated", ...inMode(permissionMode) }]];
}

function readInitialized(state: ClaudeState, result: InitializeResult): Translation {
  const { claude_code_version: version, current_permission_mode: mode, models, commands } = result;
  const { resumed } = state;
  const permissionMode = mode === undefined ? undefined : fromNativeMode(mode);
  return [
    {
      ...state,
      opening: "ready",
      hasCommands: commands !== undefined,
      models,
      permissionMode,
      isSignedIn: isSignedIn(result),
    },
    [
      {
        type: "session.attached",
        agentVersion: version,
        ...inMode(permissionMode),
        ...(resumed !== undefined && { agentSessionId: resumed, resumed: true }),
        models: models?.map(({ value: id, displayName: name, description }) => ({ id, name, description })),
        commands: commands?.map(toCommand),
      },
    ],
  ];
}

export function toCommand({ name, description, argumentHint }: WireCommand) {
  return {
    name,
    description,
    ...(argumentHint && { hint: argumentHint }),
  };
}
