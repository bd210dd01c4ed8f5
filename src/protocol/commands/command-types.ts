/** The types of commands that the engine, the server and the dialects share. */
import type { z } from "@hono/zod-openapi";
import type { AskAnswer, AskEffect } from "../../core/ask.ts";
import type { UpdatedAsk } from "../../core/ask-update.ts";
import type { EventOf } from "../../core/event.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import type { Access } from "../../core/rights.ts";
import type { SettingValues } from "../../core/setting.ts";
import type { SessionRow } from "../../core/store.ts";
import type { promptReceiptSchema, queuedPromptSchema } from "../schemas/message.ts";
import type { agentViewSchema, InstallationFrame } from "../schemas/service.ts";
import type {
  createSessionSchema,
  forkSchema,
  sessionDetailsSchema,
  updateSessionSchema,
} from "../schemas/session.ts";
import type { taskSchema } from "../schemas/task.ts";
import type { restoredSchema, restoreSchema } from "../schemas/workspace.ts";

/** The request of a client, its directory resolved and inside the allowed roots. */
export interface CreateSession extends z.infer<typeof createSessionSchema> {
  cwd: string;
}

export type UpdateSession = z.infer<typeof updateSessionSchema>;

/** A session as lists show it: the row of the store. Unlike `Session` of the protocol it has `attached`. */
export type SessionView = Omit<SessionRow, "request">;

export type SessionDetails = z.infer<typeof sessionDetailsSchema>;

export type RestoreFiles = z.infer<typeof restoreSchema>;

export type RestoreAnswer = z.infer<typeof restoredSchema>;

/** Which part of a conversation a new session begins with. `cwd` is already resolved and inside the allowed roots. */
export interface ForkSession extends z.infer<typeof forkSchema> {
  /** The id of the new session. The same request again returns the session that it made before. */
  id?: string;
}

/** The protocol also has `text`, short for one part, and a default for `whenBusy`. */
export interface SendPrompt {
  id?: string;
  parts: PromptPart[];
  whenBusy: "queue" | "steer" | "reject";
  /** Settings of the agent for the turn of this prompt alone, by id. */
  settings?: SettingValues;
}

/** What to answer again: this prompt, the prompt of this answer, or else the last prompt. */
export interface RegenerateTarget {
  /** As the client has it. The log's version wins. */
  prompt?: { id: string; parts: PromptPart[] };
  answer?: string;
}

export type PromptReceipt = z.infer<typeof promptReceiptSchema>;

/** What a client sent that nobody here understands. */
export interface PassedMessage {
  type: string;
  /** Small: it is kept whole. */
  value: unknown;
}

export interface PassedReceipt {
  /** Of the `notice` that keeps it. */
  seq: number;
  /** Whether an agent got it. */
  passedOn: boolean;
}

/**
 * An answer as clients give it; `reply` picks the first option with that effect. The protocol takes only an object as `input`,
 * other clients give other values.
 */
export interface AskReply extends AskAnswer {
  reply?: Extract<AskEffect, "once" | "always" | "reject">;
}

/** An ask, with its answer once there is one. `Ask` of the protocol may have fields that are not known here. */
export type AskView = Omit<UpdatedAsk, "type" | "raw" | "native"> & {
  state: "open" | "answered" | "closed";
  answer?: Pick<EventOf<"ask.answered">, "option" | "effect" | "answers" | "message" | "input" | "by" | "at">;
  outcome?: string;
};

/** Its `parts` are empty if the list would become too large. `bytes`, its size in characters, then says that there are some. */
export type QueuedView = z.infer<typeof queuedPromptSchema>;

/**
 * Whose rights decide what a command on the queue may do to prompts of others and to the running turn, right before it
 * is done. One that lacks a right is refused with `forbidden`; a new prompt stays behind what it may not pass.
 */
export interface QueueChecks {
  access: Access;
}

/** A task in the background: one that runs, or one of the last that ended. */
export type TaskView = z.infer<typeof taskSchema>;

export type AgentView = z.infer<typeof agentViewSchema>;

export type InstalledAgent = Omit<Extract<InstallationFrame, { phase: "installed" }>, "phase">;
