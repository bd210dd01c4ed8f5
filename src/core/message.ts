/**
 * A message of the conversation as `/v1` gives it: what was said and done in it, in order, in our own language. A pure
 * function of the events that made it, as they are kept in its record.
 */
import { z } from "zod";
import {
  askEffectSchema,
  askKindSchema,
  askOptionSchema,
  askOutcomeSchema,
  askQuestionSchema,
} from "./ask.ts";
import { shownFields } from "./ask-update.ts";
import type { EventOf, SessionEvent } from "./event.ts";
import { errorShape, fileChange, locations, origin } from "./event-fields.ts";
import type { MessageRecord } from "./message-record.ts";
import { promptPartSchema } from "./prompt-part.ts";
import { tokenUsageSchema } from "./usage.ts";

const call = z.string();

/** Everything a message can hold. Parts of a sub-agent name its call as `parent`, those of background work their `task`. */
export const contentPartSchema = z.union([
  promptPartSchema,
  z.object({
    type: z.literal("text"),
    text: z.string(),
    purpose: z.enum(["commentary", "answer", "plan"]).optional(),
    ...origin,
  }),
  z.object({ type: z.literal("reasoning"), text: z.string(), ...origin }),
  z.object({
    type: z.literal("tool_call"),
    call,
    name: z.string(),
    title: z.string().optional(),
    kind: z.string().optional(),
    locations,
    /** Absent until it is complete. */
    input: z.unknown().optional(),
    ...origin,
  }),
  z.object({
    type: z.literal("tool_result"),
    call,
    state: z.enum(["done", "failed", "denied", "abandoned"]),
    output: z.unknown().optional(),
    /** Why it failed, was denied or abandoned. */
    error: z.string().optional(),
    exitCode: z.number().int().nullable().optional(),
    truncatedFrom: z.number().int().positive().optional(),
    metadata: z.unknown().optional(),
    ...origin,
  }),
  z.object({
    type: z.literal("ask"),
    ask: z.string(),
    kind: askKindSchema,
    call: call.optional(),
    title: z.string(),
    description: z.string().optional(),
    options: z.array(askOptionSchema),
    questions: z.array(askQuestionSchema).optional(),
    changes: z.array(z.object(fileChange)).optional(),
    detail: z.unknown().optional(),
    url: z.string().optional(),
    state: z.enum(["open", "answered", "closed"]),
    answer: z
      .object({
        option: z.string().optional(),
        effect: askEffectSchema.optional(),
        answers: z.record(z.string(), z.array(z.string())).optional(),
        message: z.string().optional(),
        by: z.string(),
      })
      .optional(),
    outcome: askOutcomeSchema.optional(),
    /** Whether the agent has been told. */
    delivered: z.boolean().optional(),
    ...origin,
  }),
  z.object({
    type: z.literal("file"),
    url: z.string(),
    mediaType: z.string(),
    filename: z.string().optional(),
    ...origin,
  }),
  z.object({
    type: z.literal("source"),
    id: z.string(),
    url: z.string().optional(),
    title: z.string().optional(),
    mediaType: z.string().optional(),
    filename: z.string().optional(),
    ...origin,
  }),
  z.object({ type: z.literal("file_edit"), ...fileChange, call: call.optional(), ...origin }),
  z.object({
    type: z.literal("notice"),
    level: z.enum(["info", "warning", "error"]),
    code: z.string(),
    text: z.string(),
    ...origin,
  }),
]);

export const messageSchema = z.object({
  id: z.string(),
  session: z.string(),
  /** The message it answers. */
  parent: z.string().optional(),
  role: z.enum(["user", "assistant", "system"]),
  /** A `prompt`, the `response` to one, or a `trigger`: why the agent began by itself. */
  type: z.enum(["prompt", "response", "trigger"]),
  content: z.array(contentPartSchema),
  metadata: z.object({
    /** Agent and model as they were then. */
    agent: z.string(),
    model: z.string().optional(),
    turn: z.string().optional(),
    outcome: z.string().optional(),
    error: errorShape.optional(),
    usage: tokenUsageSchema.optional(),
    cost: z.number().optional(),
    durationMs: z.number().optional(),
  }),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  updatedAt: z.number(),
  firstSeq: z.number().int(),
  lastSeq: z.number().int(),
});

export type ContentPart = z.infer<typeof contentPartSchema>;
export type Message = z.infer<typeof messageSchema>;

/** What a message is told about by its row and its session. */
export interface MessagePlace {
  session: string;
  /** Of the session, for logs in which messages do not name it. */
  agent: string;
  firstSeq: number;
  lastSeq: number;
}

const TYPES = { user: "prompt", assistant: "response", system: "trigger" } as const;

/** @example const messages = records.map((record) => toMessage(record, place)); */
export function toMessage(record: MessageRecord, place: MessagePlace): Message {
  const { id, role, at, turn, replyTo, events = [] } = record;
  const { session, firstSeq, lastSeq } = place;
  const started = events.find((event) => event.type === "message.started");
  const end = events.findLast((event) => event.type === "turn.ended");
  return {
    id,
    session,
    ...(replyTo !== undefined && { parent: replyTo }),
    role,
    type: TYPES[role],
    content: role === "assistant" ? contentOf(events) : saidIn(record),
    metadata: {
      agent: started?.agent ?? place.agent,
      ...(started?.model !== undefined && { model: started.model }),
      ...(turn !== undefined && { turn }),
      ...(end && endOf(end)),
    },
    createdAt: at,
    updatedAt: events.at(-1)?.at ?? at,
    firstSeq,
    lastSeq,
  };
}

function saidIn({ role, parts = [], text = "" }: MessageRecord): ContentPart[] {
  return role === "user" ? parts.map((part) => ({ ...part })) : [{ type: "text", text }];
}

function endOf({ model, outcome, error, usage, cost, durationMs }: EventOf<"turn.ended">) {
  return {
    ...(model !== undefined && { model }),
    outcome,
    ...(error && { error }),
    usage,
    ...(cost !== undefined && { cost }),
    durationMs,
  };
}

export function contentOf(events: readonly SessionEvent[]): ContentPart[] {
  const fold = new ContentFold();
  for (const event of events) fold.add(event);
  return fold.parts();
}

type PartOf<Type extends ContentPart["type"]> = Extract<ContentPart, { type: Type }>;

class ContentFold {
  /** In the order in which they began, under the id of what they are. */
  readonly #parts = new Map<string, ContentPart>();
  #unnamed = 0;

  parts(): ContentPart[] {
    return [...this.#parts.values()];
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case "text.start":
      case "reasoning.start": {
        const type = event.type === "text.start" ? "text" : "reasoning";
        const purpose = "purpose" in event ? event.purpose : undefined;
        return this.#set(`part ${event.part}`, {
          type,
          text: "",
          ...defined({ purpose }),
          ...placeOf(event),
        });
      }
      case "text.delta":
      case "reasoning.delta": {
        const part = this.#parts.get(`part ${event.part}`) as PartOf<"text" | "reasoning"> | undefined;
        if (part) part.text += event.delta;
        return;
      }
      case "content.discarded":
        for (const part of event.parts) this.#parts.delete(`part ${part}`);
        for (const one of event.calls) this.#removeCall(one);
        return;
      case "tool.start":
        return this.#set(`call ${event.call}`, {
          type: "tool_call",
          call: event.call,
          ...callOf(event),
          name: event.name,
        });
      case "tool.updated":
        return this.#change(`call ${event.call}`, callOf(event));
      case "tool.input":
        return this.#change(`call ${event.call}`, { input: event.input });
      case "tool.output":
        if (event.preliminary !== true) this.#settle(event, "done");
        return;
      case "tool.failed":
        return this.#settle(event, "failed");
      case "tool.denied":
        return this.#settle(event, "denied");
      case "tool.abandoned":
        return this.#settle(event, "abandoned");
      case "tool.amended":
        return this.#settle(event, event.error === undefined ? "done" : "failed");
      case "ask.opened": {
        const { ask, kind, call: about, title, description, options, questions, url } = event;
        return this.#set(`ask ${ask}`, {
          type: "ask",
          ask,
          kind,
          title,
          options,
          state: "open",
          ...defined({ call: about, description, questions, url }),
          ...shownFields(event),
          ...placeOf(event),
        });
      }
      case "ask.updated":
        return this.#change(`ask ${event.ask}`, shownFields(event));
      case "ask.answered": {
        const { option, effect, answers, message, by } = event;
        const answer = { ...defined({ option, effect, answers, message }), by };
        return this.#change(`ask ${event.ask}`, { state: "answered", answer });
      }
      case "ask.closed":
        return this.#change(`ask ${event.ask}`, {
          state: "closed",
          outcome: event.outcome,
          delivered: event.delivered,
        });
      case "file": {
        const { url, mediaType, filename } = event;
        return this.#append({ type: "file", url, mediaType, ...defined({ filename }), ...placeOf(event) });
      }
      case "source": {
        const { id, url, title, mediaType, filename } = event;
        const about = defined({ url, title, mediaType, filename });
        return this.#append({ type: "source", id, ...about, ...placeOf(event) });
      }
      case "file.edited": {
        const { path, kind, diff, from, call: by } = event;
        return this.#append({
          type: "file_edit",
          path,
          kind,
          ...defined({ diff, from, call: by }),
          ...placeOf(event),
        });
      }
      case "notice": {
        const { level, code, text } = event;
        return this.#append({ type: "notice", level, code, text, ...placeOf(event) });
      }
    }
  }

  #set(key: string, part: ContentPart): void {
    this.#parts.set(key, part);
  }

  #append(part: ContentPart): void {
    this.#unnamed += 1;
    this.#parts.set(`other ${this.#unnamed}`, part);
  }

  #change(key: string, change: object): void {
    const part = this.#parts.get(key);
    if (part) Object.assign(part, change);
  }

  #removeCall(id: string): void {
    this.#parts.delete(`call ${id}`);
    this.#parts.delete(`result ${id}`);
  }

  /** What comes later replaces what came earlier, and stays where that was. */
  #settle(event: Settled, state: PartOf<"tool_result">["state"]): void {
    const { output, error, reason, exitCode, truncatedFrom, metadata } = event as Partial<
      Record<keyof PartOf<"tool_result"> | "reason", unknown>
    >;
    const about = defined({ output, error: error ?? reason, exitCode, truncatedFrom, metadata });
    const result = { type: "tool_result", call: event.call, state, ...about, ...placeOf(event) };
    this.#set(`result ${event.call}`, result as PartOf<"tool_result">);
  }
}

type Settled = EventOf<"tool.output" | "tool.failed" | "tool.denied" | "tool.abandoned" | "tool.amended">;

function callOf({
  title,
  kind,
  locations: places,
  name,
  parent,
  task,
}: EventOf<"tool.start" | "tool.updated">) {
  return defined({ name, title, kind, locations: places, parent, task });
}

function placeOf({ parent, task }: { parent?: string; task?: string }): { parent?: string; task?: string } {
  return defined({ parent, task });
}

/** Without the fields that have no value. */
function defined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
