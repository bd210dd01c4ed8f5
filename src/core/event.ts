/**
 * The event language: everything that can stand in a session's log, as one discriminated union.
 * What an event means is documented in docs/reference/events.md; the rules between events are in check-log.ts.
 */
import { z } from "zod";
import { askAnswerSchema, askEffectSchema, askOutcomeSchema } from "./ask.ts";
import {
  actor,
  agentState,
  askContent,
  attachedFile,
  call,
  callDetails,
  chosen,
  citedSource,
  errorShape,
  event,
  fileChange,
  native,
  noticeContent,
  origin,
  part,
  requestedSettings,
  resultDetails,
  textPurpose,
  truncatedFrom,
  withAgent,
  withMessage,
  withTurn,
} from "./event-fields.ts";
import { forkedFromSchema, nativePlaceSchema } from "./fork-fields.ts";
import { onLostSchema } from "./on-lost.ts";
import { promptPartSchema } from "./prompt-part.ts";
import { settingValuesSchema } from "./setting.ts";
import { tokenUsageSchema } from "./usage.ts";
import { checkpointKindSchema, plannedChangeSchema, uncoveredFileSchema } from "./workspace-fields.ts";

/**
 * Any event of a log.
 *
 * @example
 * const line = '{"session":"demo","seq":7,"at":0,"type":"session.closed"}';
 * eventSchema.parse(JSON.parse(line)).type; // => "session.closed"
 */
export const eventSchema = z.discriminatedUnion("type", [
  event("session.created", {
    agent: z.string(),
    cwd: z.string(),
    title: z.string().optional(),
    model: z.string().optional(),
    mode: z.string().optional(),
    permissionMode: z.string().optional(),
    ...chosen,
    metadata: z.record(z.string(), z.unknown()).optional(),
    mcpServers: z.record(z.string(), z.unknown()).optional(),
    options: z.record(z.string(), z.unknown()).optional(),
    /** Names only: values live in memory. */
    env: z.array(z.string()).optional(),
    /** Whether the agent may be installed when it is needed. */
    install: z.enum(["auto", "never"]).optional(),
    /** Whether checkpoints of its directory are taken. On when absent. */
    checkpoints: z.enum(["on", "off"]).optional(),
    /** Whether a turn that was cut off is continued. It is not when absent. */
    onLost: onLostSchema.optional(),
    /** Its conversation began as a copy of another session's, up to before `message` where that is given. */
    forkedFrom: forkedFromSchema.optional(),
    ...actor,
  }),
  event("session.attached", {
    ...withAgent,
    generation: z.number().int().positive(),
    agentSessionId: z.string().optional(),
    agentVersion: z.string().optional(),
    resumed: z.boolean().optional(),
    ...agentState,
  }),
  event("session.detached", {
    ...withAgent,
    reason: z.enum(["idle", "exit", "crash", "closed"]),
    code: z.number().int().nullable().optional(),
    signal: z.string().nullable().optional(),
  }),
  event("session.updated", {
    ...withAgent,
    title: z.string().optional(),
    /** Kept on top of lists, or no longer. */
    pinned: z.boolean().optional(),
    /** Left out of lists, or in them again. */
    archived: z.boolean().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    agentSessionId: z.string().optional(),
    /** For agents that report it only when they begin to work. */
    agentVersion: z.string().optional(),
    env: z.array(z.string()).optional(),
    onLost: onLostSchema.optional(),
    /** Settings the agent was asked for and has not confirmed yet. Empty once it has answered. */
    requested: requestedSettings.optional(),
    ...chosen,
    /** Settings as they were before those of a prompt, restored after its turn. Empty once they are restored. */
    overridden: settingValuesSchema.optional(),
    /** Prompts that wait do not begin until somebody lets them, or they do again. */
    queueHeld: z.boolean().optional(),
    /** Why there can be no checkpoints of its directory. Empty once there can. */
    checkpointObstacle: z.string().optional(),
    /** The agent's own conversation does not have the history: its next start begins a new one and is told. */
    agentMemory: z.literal("none").optional(),
    /** With `agentMemory`: where that new conversation can begin as a copy of an earlier one. */
    continues: nativePlaceSchema.optional(),
    /** Of a fork: files that went back and that its agent has not been told of, the first by name. */
    restoredFiles: z.object({ paths: z.array(z.string()), more: z.number().int().nonnegative() }).optional(),
    ...agentState,
    ...actor,
  }),
  event("session.closed", { ...withAgent, ...actor }),
  /** Another session began as a copy of this one. */
  event("session.forked", { ...withAgent, fork: z.string(), before: z.string().optional(), ...actor }),
  event("conversation.rewound", { before: z.string(), agentForgot: z.boolean(), ...actor }),

  event("prompt.accepted", {
    ...withMessage,
    parts: z.array(promptPartSchema),
    whenBusy: z.enum(["queue", "steer", "reject"]),
    /** Settings for the turn of this prompt alone, by id. */
    settings: settingValuesSchema.optional(),
    /** The turn that was cut off, and that this prompt of the daemon continues. */
    continuesTurn: z.string().optional(),
    /** What the client was answered, and is answered again if it repeats the request. */
    receipt: z.enum(["started", "queued", "steered"]).optional(),
    ...actor,
    /** The id of the token it came with. Absent for the token of the daemon itself. */
    author: z.string().optional(),
  }),
  event("prompt.changed", { ...withMessage, parts: z.array(promptPartSchema), ...actor }),
  /** A waiting prompt goes to before another one, or behind all of them. */
  event("prompt.moved", { ...withMessage, before: z.string().optional(), ...actor }),
  /** A waiting prompt does not begin until somebody releases it, or it may begin again. */
  event("prompt.held", { ...withMessage, held: z.boolean(), reason: z.string().optional(), ...actor }),
  event("prompt.withdrawn", { ...withMessage, ...actor }),
  event("prompt.dispatched", {
    ...withMessage,
    ...withTurn,
    steered: z.boolean().optional(),
    /** The files as they were before the agent got the prompt. */
    checkpoint: z.string().optional(),
    /** What the agent is told before it, such as which files went back. */
    note: z.string().optional(),
  }),

  /** The agent did not take a steered prompt: it waits again, before all others. */
  event("prompt.returned", { ...withMessage, reason: z.string() }),
  /** The agent has the prompt, under this id of its own. */
  event("prompt.received", { ...withMessage, native: z.string() }),

  event("turn.started", { ...withTurn, ...withAgent, origin: z.enum(["user", "agent"]) }),
  event("message.started", {
    ...withMessage,
    ...withTurn,
    ...withAgent,
    /** The model in force when the message begins, if it is known by then. */
    model: z.string().optional(),
    replyTo: z.string(),
  }),
  event("message.system", {
    ...withMessage,
    ...withTurn,
    text: z.string(),
    cause: z.string(),
    /** The task whose end woke the agent. */
    task: z.string().optional(),
  }),
  event("step.started", { ...withTurn, step: z.number().int().positive() }),
  event("step.ended", { ...withTurn, step: z.number().int().positive(), reason: z.string().optional() }),
  event("turn.stopping", { ...withTurn, by: z.string() }),
  event("turn.ended", {
    ...withTurn,
    outcome: z.enum(["completed", "interrupted", "failed", "refused", "limit"]),
    error: errorShape.optional(),
    /** After a restart of the daemon: whether the agent is known to have had the prompt. */
    delivery: z.enum(["known", "unknown"]).optional(),
    /** The model that answered, if it is known. */
    model: z.string().optional(),
    usage: tokenUsageSchema,
    cost: z.number().optional(),
    /** From its start to its end; of a turn that was cut off, to the last that is known of it. */
    durationMs: z.number().nonnegative(),
    /** Of that: how long an answer of a person was awaited. Absent where none was. */
    waitedMs: z.number().nonnegative().optional(),
    /** Where it ended in the agent's own conversation, by an id of the agent. */
    ...native,
  }),
  event("task.started", {
    task: z.string(),
    title: z.string(),
    kind: z.string().optional(),
    call: z.string().optional(),
    ...native,
  }),
  event("task.updated", {
    /** More of its output. */
    delta: z.string().optional(),
    task: z.string(),
    title: z.string().optional(),
    status: z.string().optional(),
    progress: z.unknown().optional(),
  }),
  /** Somebody wants it to end. The agent is told next. */
  event("task.stopping", { task: z.string(), by: z.string() }),
  event("task.ended", {
    task: z.string(),
    outcome: z.enum(["completed", "failed", "stopped", "lost"]),
    summary: z.string().optional(),
    output: z.unknown().optional(),
  }),

  event("text.start", {
    ...part,
    /** What the text is for, if the agent says so. */
    purpose: textPurpose,
    ...origin,
    ...native,
  }),
  event("text.delta", { ...part, ...origin, delta: z.string() }),
  event("text.end", { ...part, ...origin }),
  event("reasoning.start", { ...part, ...origin, ...native }),
  event("reasoning.delta", { ...part, ...origin, delta: z.string() }),
  event("reasoning.end", { ...part, ...origin }),
  event("content.discarded", {
    parts: z.array(z.string()),
    calls: z.array(z.string()),
    reason: z.string(),
    ...origin,
  }),
  event("tool.start", {
    ...call,
    name: z.string(),
    ...callDetails,
    ...origin,
    ...native,
  }),
  /** What became known about a call after it started. */
  event("tool.updated", {
    ...call,
    name: z.string().optional(),
    ...callDetails,
    ...origin,
  }),
  event("tool.input.delta", { ...call, delta: z.string(), ...origin }),
  /** With `by`, what that person allowed instead of what the agent wanted. */
  event("tool.input", { ...call, input: z.unknown(), truncatedFrom, ...actor, ...origin }),
  /** Output of a running call, to be appended; the final `tool.output` has all of it. */
  event("tool.output.delta", { ...call, delta: z.string(), ...origin }),
  event("tool.progress", { ...call, progress: z.unknown(), ...origin }),
  event("tool.output", {
    ...call,
    output: z.unknown(),
    preliminary: z.boolean().optional(),
    running: z.boolean().optional(),
    truncatedFrom,
    ...resultDetails,
    ...origin,
  }),
  event("tool.failed", {
    ...call,
    error: z.string(),
    output: z.unknown().optional(),
    ...resultDetails,
    ...origin,
  }),
  event("tool.denied", { ...call, reason: z.string().optional(), ...origin }),
  event("tool.abandoned", { ...call, reason: z.string(), stopped: z.boolean().optional(), ...origin }),
  event("tool.summary", { calls: z.array(z.string()), text: z.string(), ...origin }),
  event("tool.amended", {
    ...call,
    output: z.unknown().optional(),
    error: z.string().optional(),
    ...resultDetails,
    ...origin,
  }),
  event("file", { ...attachedFile, ...origin }),
  event("source", { ...citedSource, ...origin }),

  event("ask.opened", {
    ask: z.string(),
    ...askContent,
    expiresAt: z.number().int().optional(),
    ...origin,
    ...native,
  }),
  /** What became known of an open ask after it was opened; each field replaces the earlier one. */
  event("ask.updated", {
    ask: z.string(),
    changes: askContent.changes,
    detail: askContent.detail,
    ...origin,
  }),
  /** Here `message` is what the person said to it, not the id of a message. */
  event("ask.answered", {
    ask: z.string(),
    ...askAnswerSchema.shape,
    effect: askEffectSchema.optional(),
    by: z.string(),
    /** Nobody answered in time: the daemon declined it. */
    expired: z.literal(true).optional(),
    ...origin,
  }),
  event("ask.closed", { ask: z.string(), outcome: askOutcomeSchema, delivered: z.boolean(), ...origin }),

  event("checkpoint.created", {
    checkpoint: z.string(),
    kind: checkpointKindSchema.optional(),
    /** Where it is kept, if several nodes may have the session: a node or a directory that they share. */
    keptAt: z.object({ id: z.string(), name: z.string() }).optional(),
    /** The turn whose end it shows, if it stands after that. */
    endOf: z.string().optional(),
    /** Files it does not have, and why; the first hundred. */
    uncovered: z.array(uncoveredFileSchema).optional(),
    /** Files that only the agent of another session changed in this turn, as it said. */
    foreign: z.array(z.string()).optional(),
    /** Files that this agent or somebody else may have changed in this turn, or both: they are conflicts. */
    mixed: z.array(z.string()).optional(),
    /** There are too many of them to be named: all that changed in this turn are, those in `foreign` aside. */
    allMixed: z.boolean().optional(),
    ...actor,
  }),
  /** Files go back: everything that will be done, so that a restore can be finished after a crash. */
  event("restore.started", {
    /** The checkpoint to go back to. */
    checkpoint: z.string(),
    /** The checkpoint taken right before. */
    before: z.string(),
    changes: z.array(plannedChangeSchema),
    /** Files that somebody else has changed since; they stay as they are. The first hundred. */
    kept: z.array(z.string()).optional(),
    /** The conversation went back too, to before this message. */
    rewound: z.string().optional(),
    ...actor,
  }),
  /** The restore has ended. */
  event("checkpoint.restored", {
    checkpoint: z.string(),
    /** How many files went back. */
    files: z.number().int().nonnegative().optional(),
    /** Which went back, if not all that were to. */
    restored: z.array(z.string()).optional(),
    /** Files that stayed as they were because somebody changed them; the first hundred. */
    kept: z.array(z.string()).optional(),
    /** Why it could not be finished. */
    error: z.string().optional(),
  }),
  event("file.edited", { ...fileChange, call: z.string().optional(), ...origin }),
  event("plan.updated", {
    entries: z.array(
      z.object({
        text: z.string(),
        status: z.enum(["pending", "active", "done"]),
        priority: z.enum(["high", "medium", "low"]).optional(),
      }),
    ),
    ...origin,
  }),

  event("usage", {
    ...tokenUsageSchema.shape,
    cost: z.number().optional(),
    model: z.string().optional(),
    /** How full the context window is: a state, not an increment. */
    context: z.object({ used: z.number(), size: z.number().optional() }).optional(),
    ...origin,
  }),
  event("auth.status", {
    state: z.enum(["ok", "required", "pending", "failed"]),
    text: z.string().optional(),
  }),
  event("compaction.started", { trigger: z.string().optional() }),
  event("compaction.ended", {
    summary: z.string().optional(),
    tokensBefore: z.number().optional(),
    tokensAfter: z.number().optional(),
    /** Why there is no summary, where the agent found that none is needed. */
    skipped: z.string().optional(),
    error: z.string().optional(),
  }),
  event("notice", {
    ...noticeContent,
    data: z.unknown().optional(),
    ...origin,
  }),
  event("agent.unknown", { native: z.string(), text: z.string().optional() }),
]);

/** One event of a session's log. */
export type SessionEvent = z.infer<typeof eventSchema>;
/** The type of an event, `text.delta` say. */
export type EventType = SessionEvent["type"];
/** The event of one type. */
export type EventOf<Type extends EventType> = Extract<SessionEvent, { type: Type }>;
/** How a turn ended. */
export type TurnOutcome = EventOf<"turn.ended">["outcome"];
/** Why a turn failed. */
export type TurnError = z.infer<typeof errorShape>;

/** An event before the machine has stamped it. */
export type EventBody = { [Type in EventType]: Omit<EventOf<Type>, "session" | "seq" | "at"> }[EventType];

/**
 * The version of the event format. A store writes it beside the events, so that a later version can convert them.
 *
 * @example
 * const block = { format: EVENT_FORMAT, lines: events.map((event) => JSON.stringify(event)) };
 */
export const EVENT_FORMAT = 1;
