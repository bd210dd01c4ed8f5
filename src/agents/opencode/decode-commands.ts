/** Requests to the server → the commands they carried: the inverse of inbound.ts. Pure. */
import type { Command, CommandOf } from "../../core/command.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { parseLine } from "../transport/line-text.ts";
import type { DecodeCommands } from "../transport/translator.ts";
import type { OpenCodeState } from "./conversation-state.ts";
import { permissionModeOf } from "./manifest.ts";
import { toAnswers } from "./outbound/ask.ts";
import { askOf, chosen, promptOf, routeOf, sessionOf } from "./outbound/request.ts";
import type { WireChoice, WireRequest } from "./wire.ts";

export const decodeCommands: DecodeCommands<OpenCodeState> = (state, { direction, data }) => {
  if (typeof data !== "string") return decodeRun(data);
  if (direction !== "out") return [];
  const line = parseLine(data);
  if (line.kind !== "message" || typeof line.message.msg !== "object") return [];
  if (line.message.kind === "choice") {
    // What a session is opened with is no command.
    return state.session === undefined
      ? []
      : [{ type: "configure", ...chosen(line.message.msg as WireChoice) }];
  }
  return line.message.kind === "http" ? toCommands(state, line.message.msg as WireRequest) : [];
};

function toCommands(state: OpenCodeState, request: WireRequest): readonly Command[] {
  const ask = askOf(request);
  if (ask !== undefined) return toReply(state, ask, request);
  if (state.session === undefined || sessionOf(request) !== state.session) return [];
  if (request.method === "PATCH") return toPermissionMode(request);
  if (routeOf(request) === "abort") return [{ type: "interrupt" }];
  if (routeOf(request) === "revert" && request.before !== undefined) {
    return [{ type: "rewind", before: request.before }];
  }
  const prompt = promptOf(state, request);
  if (!prompt) return [];
  const { steer } = request;
  const command: CommandOf<"prompt"> = {
    type: "prompt",
    message: prompt.message,
    parts: partsOf(request),
    steer,
  };
  // Another client went back and said so only to the server, which forgets with this prompt.
  if (state.reverted === undefined) return [command];
  return [{ type: "rewind", before: state.reverted }, command];
}

function partsOf(request: WireRequest): PromptPart[] {
  const { parts, command, arguments: words } = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  if (routeOf(request) === "summarize") return [{ type: "text", text: "/compact" }];
  if (typeof command === "string") return [{ type: "text", text: `/${command} ${words ?? ""}`.trim() }];
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: Readonly<Record<string, string | undefined>>): PromptPart[] => {
    if (part.type === "text") return [{ type: "text", text: part.text ?? "" }];
    if (part.type !== "file" || !part.url) return [];
    const { url, mime = "application/octet-stream", filename } = part;
    return [{ type: "file", url, mediaType: mime, filename }];
  });
}

const REPLIES = ["once", "always", "reject"];

/** Of several answers of one client the first counts; one the server does not know is none. */
function toReply(
  { replies }: OpenCodeState,
  ask: string,
  { path, body }: WireRequest,
): readonly CommandOf<"reply">[] {
  if (replies.has(ask)) return [];
  const { reply, response, answers, message } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (path.endsWith("/reject")) return [{ type: "reply", ask, option: "reject" }];
  if (Array.isArray(answers)) return [{ type: "reply", ask, answers: toAnswers(answers) }];
  const option = reply ?? response;
  if (typeof option !== "string" || !REPLIES.includes(option)) return [];
  return [{ type: "reply", ask, option, ...(typeof message === "string" && { message }) }];
}

function toPermissionMode({ body }: WireRequest): readonly Command[] {
  const permissionMode = permissionModeOf((body as { permission?: unknown } | undefined)?.permission);
  return permissionMode === undefined ? [] : [{ type: "configure", permissionMode }];
}

/** `opencode run` has its prompt among its arguments. */
function decodeRun(data: Readonly<Record<string, unknown>>): readonly Command[] {
  const { event, argv } = data;
  if (event !== "spawn" || !Array.isArray(argv) || argv[1] !== "run") return [];
  return [{ type: "prompt", message: "", parts: [{ type: "text", text: String(argv.at(-1)) }] }];
}
