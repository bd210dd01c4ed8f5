/** Commands on prompts that wait. */
import type { z } from "@hono/zod-openapi";
import type { PromptPart } from "../../core/prompt-part.ts";
import * as routes from "../routes/messages.ts";
import type { sentPromptSchema } from "../schemas/message.ts";
import type { QueueChecks, QueuedView } from "./command-types.ts";
import { auditNote, COMMIT_MS, defineCommand, defineRouteCommand, READS, STOP_MS } from "./define-command.ts";

export interface QueuedInput {
  session: string;
  message: string;
}

const messageNote = ({ session, message }: QueuedInput) =>
  ({ action: "queue.own", session, detail: message }) as const;

export const queueCommands = {
  /**
   * Waiting prompts in order. With `after`, those after that prompt, or all if it no longer waits. Contents are included up to
   * `maxBytes` together (64 MB), at least the first unless it is 0; the others are left out.
   */
  listQueue: defineCommand<{ session: string; maxBytes?: number; after?: string }, QueuedView[]>(READS),
  changeQueued: defineCommand<QueuedInput & { parts: PromptPart[] }, QueuedView>({
    rights: "queue.own",
    audit: messageNote,
    forward: { timeoutMs: COMMIT_MS, isRepeatable: true },
  }),
  /** Puts a waiting prompt before another one, or with `null` behind all. Does nothing where it is there already. */
  moveQueued: defineCommand<QueuedInput & { before: string | null; checks?: QueueChecks }, QueuedView>({
    rights: "queue.own",
    audit: messageNote,
    forward: { timeoutMs: COMMIT_MS, isRepeatable: true },
  }),
  /**
   * Sends a waiting prompt now: into the running turn where the agent can take it (`steered`), else it becomes the next one
   * and the turn is stopped (`queued`). Resolves when that is committed.
   */
  sendQueued: defineCommand<
    QueuedInput & { checks?: QueueChecks },
    z.infer<typeof sentPromptSchema>,
    typeof routes.sendQueued
  >({
    route: routes.sendQueued,
    rights: "queue.own",
    audit: messageNote,
    forward: { timeoutMs: STOP_MS, isRepeatable: false },
  }),
  withdrawQueued: defineRouteCommand(routes.withdrawQueued, {
    rights: "queue.own",
    audit: messageNote,
    forward: {
      timeoutMs: COMMIT_MS,
      isRepeatable: true,
      isOverBy: "message_not_queued",
      // Another node that took the session over may have begun with it.
      wasDone: async (store, { session, message }) =>
        (await store.getMessage(session, message))?.state === "withdrawn",
    },
  }),
  /** Lets prompts run that an `interrupt` held. Resolves when that is committed. */
  releaseQueue: defineRouteCommand(routes.releaseQueue, {
    rights: "session.prompt",
    audit: auditNote("session.prompt", "release"),
    forward: { timeoutMs: COMMIT_MS, isRepeatable: true },
  }),
};
