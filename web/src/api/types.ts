/** What crosses the wire, as types. Only types come from the daemon's source: none of its code is in the page. */
import type { z } from "zod";
import type { askReplySchema, askViewSchema } from "../../../src/protocol/schemas/ask.ts";
import type { promptReceiptSchema, queuedPromptSchema } from "../../../src/protocol/schemas/message.ts";
import type {
  agentListSchema,
  agentViewSchema,
  installationFrameSchema,
} from "../../../src/protocol/schemas/service.ts";
import type {
  createSessionSchema,
  sessionDetailsSchema,
  sessionViewSchema,
  updateSessionSchema,
} from "../../../src/protocol/schemas/session.ts";

export type { AskOption, AskQuestion } from "../../../src/core/ask.ts";
export type { PromptPart } from "../../../src/core/prompt-part.ts";
export type { SessionStatus } from "../../../src/core/session-status.ts";
export type { FeedFrame } from "../../../src/protocol/schemas/feed.ts";

export type Ask = z.infer<typeof askViewSchema>;
export type AskReply = z.input<typeof askReplySchema>;
export type Agent = z.infer<typeof agentViewSchema>;
export type AgentList = z.infer<typeof agentListSchema>;
export type InstallationFrame = z.infer<typeof installationFrameSchema>;
export type Session = z.infer<typeof sessionViewSchema>;
export type SessionDetails = z.infer<typeof sessionDetailsSchema>;
export type CreateSession = z.input<typeof createSessionSchema>;
export type UpdateSession = z.input<typeof updateSessionSchema>;
export type QueuedPrompt = z.infer<typeof queuedPromptSchema>;
export type PromptReceipt = z.infer<typeof promptReceiptSchema>;
