/** The rarer kinds of lines, each of which says one thing. */
import type { Draft } from "../../../core/draft.ts";
import { UNUSED_MESSAGES } from "./unused-messages.ts";

export interface OtherLine {
  readonly type: string;
  readonly tool_use_id?: string;
  readonly elapsed_time_seconds?: number;
  readonly parent_tool_use_id?: string | null;
  readonly heartbeat?: boolean;
  readonly summary?: string;
  readonly preceding_tool_use_ids?: readonly string[];
  readonly rate_limit_info?: { status?: string; resetsAt?: number; rateLimitType?: string };
  readonly isAuthenticating?: boolean;
  readonly output?: readonly string[];
  readonly error?: string;
}

/** Undefined for a kind we do not know. */
export function readOther(line: OtherLine): readonly Draft[] | undefined {
  switch (line.type) {
    case "tool_progress":
      return toolProgress(line);
    case "tool_use_summary":
      if (line.summary === undefined) return undefined;
      return [{ type: "tool.summary", calls: [...(line.preceding_tool_use_ids ?? [])], text: line.summary }];
    case "rate_limit_event":
      return rateLimit(line);
    case "auth_status":
      return [authStatus(line)];
    default:
      return UNUSED_MESSAGES.has(line.type) ? [] : undefined;
  }
}

/** A sign of life names no call of its own, but as its parent the call that is alive. */
function toolProgress(line: OtherLine): readonly Draft[] | undefined {
  const { tool_use_id: id, parent_tool_use_id: parent, elapsed_time_seconds: seconds } = line;
  const call = line.heartbeat ? parent : id;
  if (!call) return undefined;
  const under = parent && call !== parent ? { parent } : {};
  return [{ type: "tool.progress", call, progress: { seconds }, ...under }];
}

function rateLimit({ rate_limit_info: info }: OtherLine): readonly Draft[] {
  if (!info || info.status === "allowed") return [];
  const isReached = info.status === "rejected";
  return [
    {
      type: "notice",
      level: isReached ? "error" : "warning",
      code: "rate-limit",
      text: isReached
        ? "The rate limit of the account is reached."
        : "The rate limit of the account is near.",
      data: { resetsAt: info.resetsAt, limit: info.rateLimitType },
    },
  ];
}

function authStatus({ isAuthenticating, output, error }: OtherLine): Draft {
  if (error !== undefined) return { type: "auth.status", state: "failed", text: error };
  const text = output?.join("\n");
  return { type: "auth.status", state: isAuthenticating ? "pending" : "ok", ...(text && { text }) };
}
