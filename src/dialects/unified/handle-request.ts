/** What a client wants, done with the engine that its token has. */
import { InterlinguaError } from "../../core/error.ts";
import type { Principal } from "../../core/principal.ts";
import type { AskReply } from "../../protocol/commands/command-types.ts";
import { invalidField } from "../../protocol/refusals.ts";
import { promptParts } from "../../unified/inbound/prompt-parts.ts";
import {
  readUnifiedRequest,
  type UnifiedReply,
  type UnifiedRequest,
} from "../../unified/read-unified-request.ts";
import type { UnifiedMessage } from "../../unified/unified-message.ts";
import type { DialectServices } from "../dialect.ts";
import type { AnsweredRequests } from "./answered-requests.ts";

/** What a list of waiting prompts has of their contents. */
export const MAX_QUEUE_BYTES = 1024 * 1024;

/** Of a message that is kept without being understood. */
const MAX_UNKNOWN_LENGTH = 64 * 1024;

export interface RequestContext {
  services: DialectServices;
  answered: AnsweredRequests;
  session: string;
  by: Principal;
}

/** Resolves with what the `control_response` tells. Rejects with an `InterlinguaError` for what is refused. */
export async function handleRequest(context: RequestContext, message: UnifiedMessage): Promise<object> {
  const { answered, session } = context;
  const { kind } = message.metadata;
  if (message.type === "configuration_change" && kind !== undefined) {
    const act = isKind(kind) ? KINDS[kind] : undefined;
    if (!act)
      throw invalidField(
        "metadata.kind",
        `must be one of ${Object.keys(KINDS).join(", ")}`,
        `A configuration_change of this kind is not known. Use one of ${Object.keys(KINDS).join(", ")}, or leave the kind out.`,
      );
    return answered.once(session, message, () => act(context, message));
  }
  const request = readUnifiedRequest(message);
  if (request.type === "prompt") return prompt(context, request);
  if (request.type === "reply") return reply(context, request);
  return answered.once(session, message, () => act(context, message, request));
}

async function act(
  { services: { engine }, session, by }: RequestContext,
  message: UnifiedMessage,
  request: Exclude<UnifiedRequest, { type: "prompt" | "reply" }>,
): Promise<object> {
  switch (request.type) {
    case "interrupt": {
      const { turn_id: turn } = message.metadata;
      if (turn !== undefined && typeof turn !== "string")
        throw invalidField("metadata.turn_id", "must be the id of a turn", "A turn is named by its turn_id.");
      const { interrupted } = await engine.run("interrupt", { session, turn }, by);
      return { interrupted };
    }
    case "configure": {
      const { type: _, ...change } = request;
      const { model, mode, permissionMode } = await engine.run("updateSession", { ...change, session }, by);
      return { model, mode, permissionMode };
    }
    case "unknown": {
      assertPassable(message);
      const { seq, passedOn } = await engine.run(
        "passOn",
        { session, type: message.type, value: message },
        by,
      );
      return { kept: true, seq, passed_on: passedOn };
    }
    case "invalid":
      throw invalidField(
        request.path,
        request.problem,
        `The ${message.type} cannot be read: ${request.path} ${request.problem}.`,
      );
  }
}

function assertPassable(message: UnifiedMessage): void {
  if (message.type !== "unknown")
    throw invalidField(
      "type",
      "must be one that consumers send",
      `A ${message.type} comes from the backend. Send user_message, permission_response, interrupt, configuration_change or unknown.`,
    );
  if (JSON.stringify(message).length > MAX_UNKNOWN_LENGTH)
    throw new InterlinguaError(
      "body_too_large",
      `An unknown message may have ${MAX_UNKNOWN_LENGTH} characters, since it is kept whole. Send less.`,
    );
}

async function prompt(
  { services, session, by }: RequestContext,
  { message: id, parts, whenBusy = "queue", settings }: Extract<UnifiedRequest, { type: "prompt" }>,
): Promise<object> {
  await services.checkPrompt(parts, session);
  const receipt = await services.engine.run("prompt", { session, id, parts, whenBusy, settings }, by);
  const { message, state, turn, seq } = receipt;
  return { message_id: message, state, turn_id: turn, seq };
}

async function reply(context: RequestContext, request: UnifiedReply): Promise<object> {
  const { services, session, by } = context;
  const { ask, ...given } = request;
  const answer = await answerOf(context, ask, given);
  const { state, answer: won } = await services.engine.run("replyToAsk", { ...answer, session, ask }, by);
  return { request_id: ask, state, answer: won };
}

/** A text without an option answers the only question that there is. */
async function answerOf(
  { services: { engine }, session, by }: RequestContext,
  ask: string,
  given: AskReply,
): Promise<AskReply> {
  const { reply, message, option, answers } = given;
  if (reply !== "once" || message === undefined || option !== undefined || answers !== undefined)
    return given;
  const { asks } = await engine.run("listAsks", { session }, by);
  const open = asks.find((each) => each.ask === ask);
  const [question, ...others] = open?.questions ?? [];
  return question && others.length === 0 ? { answers: { [question.id]: [message] } } : given;
}

type Act = (context: RequestContext, message: UnifiedMessage) => Promise<object>;

/** Requests for which the protocol has no type: a `configuration_change` whose metadata has this `kind`. */
const KINDS = {
  async update_queued_message({ services, session, by }, message) {
    const id = queuedId(message);
    const read = promptParts(message);
    if ("problem" in read)
      throw invalidField(read.path, read.problem, `The prompt cannot be read: ${read.path} ${read.problem}.`);
    if (read.parts.length === 0)
      throw invalidField("content", "must have a block", "Send the whole new content of the prompt.");
    await services.checkPrompt(read.parts, session);
    const { seq } = await services.engine.run(
      "changeQueued",
      { session, message: id, parts: read.parts },
      by,
    );
    return { message_id: id, seq };
  },
  async cancel_queued_message({ services, session, by }, message) {
    const id = queuedId(message);
    await services.engine.run("withdrawQueued", { session, message: id }, by);
    return { message_id: id };
  },
  async queue_query({ services, session, by }) {
    const queued = await services.engine.run("listQueue", { session, maxBytes: 0 }, by);
    return {
      messages: queued.map(({ message, bytes, whenBusy, at, seq }) => ({
        message_id: message,
        bytes,
        when_busy: whenBusy,
        timestamp: at,
        seq,
      })),
    };
  },
  async presence_query({ services, session }) {
    return services.presence.of(session);
  },
} as const satisfies Record<string, Act>;

function isKind(kind: unknown): kind is keyof typeof KINDS {
  return typeof kind === "string" && Object.hasOwn(KINDS, kind);
}

function queuedId({ metadata }: UnifiedMessage): string {
  const { message_id: id } = metadata;
  if (typeof id === "string" && id !== "") return id;
  throw invalidField(
    "metadata.message_id",
    "must be the id of a waiting prompt",
    "Name the waiting prompt by the message_id of its user_message.",
  );
}
