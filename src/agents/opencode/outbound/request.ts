/** What we or another client sent: no drafts, but answers and events are understood by it. */
import { withEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import { type OpenCodeState, type SentPrompt, startTurn, withTurn } from "../conversation-state.ts";
import { MESSAGE_KEY, type WireChoice, type WireRequest } from "../wire.ts";

const PROMPT_ROUTES = ["prompt_async", "message", "command", "summarize"];

/** What is chosen before there is a session is told with it. */
export function noteChoice(state: OpenCodeState, choice: WireChoice): Translation<OpenCodeState> {
  const next = { ...state, choice: { ...state.choice, ...choice } };
  return [next, state.session === undefined ? [] : [{ type: "session.updated", ...chosen(choice) }]];
}

/** In our words. */
export function chosen({ model, agent }: WireChoice): { model?: string; mode?: string } {
  return { model, mode: agent };
}

export function noteRequest(state: OpenCodeState, request: WireRequest): Translation<OpenCodeState> {
  const sent: OpenCodeState = {
    ...state,
    nextRequest: Math.max(state.nextRequest, request.id + 1),
    requests: withEntry(state.requests, request.id, request),
  };
  if (request.method !== "POST") return [sent, []];
  const ask = askOf(request);
  if (ask !== undefined) return [noteReply(sent, ask, request), []];
  if (sessionOf(request) !== state.session || state.session === undefined) return [sent, []];
  if (routeOf(request) === "abort") return [withTurn(sent, { isStopping: true }), []];
  const prompt = promptOf(state, request);
  if (!prompt) return [sent, []];
  const begun = state.turn.isRunning ? sent : startTurn(sent);
  const unnamed = request.message === undefined ? state.unnamed + 1 : state.unnamed;
  return [{ ...begun, unnamed, prompts: [...begun.prompts, prompt], reverted: undefined }, []];
}

/** `/session/ses_1/prompt_async` → `prompt_async`. */
export function routeOf({ path }: WireRequest): string {
  return pathSegments(path)[2] ?? "";
}

export function sessionOf({ path }: WireRequest): string | undefined {
  const [root, session] = pathSegments(path);
  return root === "session" ? session : undefined;
}

export function askOf({ method, path }: WireRequest): string | undefined {
  if (method !== "POST") return undefined;
  const [root, id, route, permission] = pathSegments(path);
  if (root === "session" && route === "permissions") return permission;
  return root === "permission" || root === "question" ? id : undefined;
}

/** The prompt a request carries, named as it will be named when it is decoded. */
export function promptOf({ unnamed }: OpenCodeState, request: WireRequest): SentPrompt | undefined {
  const route = routeOf(request);
  if (request.method !== "POST" || !PROMPT_ROUTES.includes(route)) return undefined;
  const body = (request.body ?? {}) as { noReply?: unknown; messageID?: unknown; parts?: unknown };
  if (body.noReply === true) return undefined;
  const isMarked = markOf(body.parts) !== undefined;
  if (request.message !== undefined) return { message: request.message, isMarked };
  // Another client's: a button that compacts is no prompt.
  if (route === "summarize") return undefined;
  const message = typeof body.messageID === "string" ? body.messageID : `u${unnamed + 1}`;
  return { message, isMarked };
}

/** Our id of a prompt, in the metadata of one of its parts. */
export function markOf(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return undefined;
  for (const part of parts as readonly { metadata?: Readonly<Record<string, unknown>> }[]) {
    const mark = part?.metadata?.[MESSAGE_KEY];
    if (typeof mark === "string") return mark;
  }
  return undefined;
}

/** Only the first answer of a client counts as ours. */
function noteReply(state: OpenCodeState, ask: string, request: WireRequest): OpenCodeState {
  if (state.replies.has(ask)) return state;
  const reply = { request: request.id, answer: answerOf(request) };
  return { ...state, replies: withEntry(state.replies, ask, reply) };
}

/** What the server will tell about an answer, to be compared. */
function answerOf({ path, body }: WireRequest): string {
  if (path.endsWith("/reject")) return "reject";
  const { reply, response, answers } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return typeof reply === "string"
    ? reply
    : typeof response === "string"
      ? response
      : JSON.stringify(answers);
}

function pathSegments(path: string): string[] {
  const [route = ""] = path.split("?");
  return route.split("/").slice(1);
}
