/** Deviations of single agents from the protocol, found in recordings. */
import { parseJson } from "../../core/parse-json.ts";
import type { AgentIdentity } from "./conversation-state.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "./untyped.ts";

/** Gemini confirms `session/set_mode` with a line of text. */
const MODE_ANNOUNCEMENT = /^\[MODE_UPDATE\] (\S+)\s*$/;

export function modeAnnouncedIn(text: string): string | undefined {
  return text.startsWith("[MODE_UPDATE] ") ? MODE_ANNOUNCEMENT.exec(text)?.[1] : undefined;
}

/** The tool's name. The protocol has a field for it only since recently; before, each agent had its own. */
export function toolNameOf(update: JsonObject): string | undefined {
  const meta = objectOf(update._meta);
  return (
    textOf(update.name) ??
    textOf(objectOf(meta.claudeCode).toolName) ??
    textOf(meta.toolName) ??
    textOf(objectOf(meta["x.ai/tool"]).name) ??
    textOf(objectOf(objectOf(meta.goose).toolCall).toolName)
  );
}

/** Claude marks what a sub-agent says with the call that started it. */
export function parentOf(update: JsonObject): string | undefined {
  return textOf(objectOf(objectOf(update._meta).claudeCode).parentToolUseId);
}

/** Codex, pi and goose run commands themselves and only show what they write. */
export function terminalTextOf(update: JsonObject): string | undefined {
  if (update._meta === undefined) return undefined;
  const meta = objectOf(update._meta);
  return (
    textOf(objectOf(meta.terminal_output_delta).data) ??
    textOf(objectOf(meta.terminal_output).data) ??
    liveOutputOf(objectOf(meta.toolNotification))
  );
}

function liveOutputOf({ type, params }: JsonObject): string | undefined {
  if (type !== "live_output") return undefined;
  return textOf(
    objectsOf(objectOf(params).chunks)
      .map(({ output }) => (typeof output === "string" ? output : ""))
      .join(""),
  );
}

export function exitCodeOf(update: JsonObject): number | null | undefined {
  const code =
    objectOf(update.rawOutput).exit_code ?? objectOf(objectOf(update._meta).terminal_exit).exit_code;
  return typeof code === "number" && Number.isInteger(code) ? code : undefined;
}

/** Codex and pi report when they are idle, which the protocol has no message for. */
export function saysIdle(update: JsonObject): boolean {
  const meta = objectOf(update._meta);
  const status = objectOf(objectOf(meta.codex).threadStatus).type;
  return status === "idle" || objectOf(meta.piAcp).running === false;
}

/** Agents whose answer to a prompt tells what the session has used until now, by the name they give themselves. */
const TELLING_TOTALS = new Set(["Copilot"]);

export function tellsTotals(agent: string | undefined): boolean {
  return agent !== undefined && TELLING_TOTALS.has(agent);
}

/**
 * Claude over ACP counts what a resumed conversation has cost from its beginning: 0.99 does, 0.49 did not. So after a
 * resume the first sum it tells is only where counting begins, and the cost of that turn is not known.
 */
export function tellsCostOfConversation(agent: AgentIdentity | undefined): boolean {
  if (agent?.name !== "@agentclientprotocol/claude-agent-acp") return false;
  return (agent.version ?? "").localeCompare("0.50", "en", { numeric: true }) > 0;
}

/** How agents, by the names they give themselves, say that the model failed, as if it were the answer. */
const ERROR_AS_ANSWER: ReadonlyMap<string, RegExp> = new Map([
  ["Copilot", /^Error: ([45]\d\d\b.*|.*\(HTTP [45]\d\d\).*)/s],
  ["goose", /^Ran into this error: (.*?)\.?\n\nPlease retry if you think this is a transient/s],
]);

/** How agents say that they ask the model again, as if it were the answer. */
const RETRY_AS_ANSWER: ReadonlyMap<string, RegExp> = new Map([
  ["Copilot", /^Info: Request failed due to a transient API error\. Retrying\.\.\.$/],
]);

export function isRetryNotice(text: string, agent: string | undefined): boolean {
  return agent !== undefined && RETRY_AS_ANSWER.get(agent)?.test(text) === true;
}

/** Codex shows the body of the model's refusal, others have a sentence for it. */
export function modelErrorIn(text: string, agent: string | undefined): string | undefined {
  const told = agent === undefined ? undefined : ERROR_AS_ANSWER.get(agent)?.exec(text)?.[1];
  if (told !== undefined || !text.startsWith('{"error"')) return told;
  try {
    return textOf(objectOf(objectOf(parseJson(text)).error).message);
  } catch {
    return undefined;
  }
}

/** Where agents that give no content have the text of a result. */
export function textInRawOutput(rawOutput: JsonObject): string | undefined {
  return (
    textOf(rawOutput.formatted_output) ??
    textOf(rawOutput.aggregated_output) ??
    textOf(rawOutput.output) ??
    textOf(rawOutput.text)
  );
}

/** What agents call the notification that tells whether somebody is signed in. */
export const AUTH_STATUS: ReadonlySet<string> = new Set(["auth/status_update", "_auth/status_update"]);

/** Messages of agents' own that tell nothing a log needs. Others we do not know are kept in it as such. */
const CHATTER = new Set([
  "craft/drainMidTurnQueue",
  "qwen/notify/session/mode-update",
  "qwen/notify/session/model-update",
  "qwen/notify/session/prompt-suggestion",
]);

export function isChatter(method: string): boolean {
  return CHATTER.has(method);
}

/** The protocol reserves these methods for extensions. Notifications that a client does not know are to be ignored. */
export function isExtension(method: string): boolean {
  return method.startsWith("_");
}
