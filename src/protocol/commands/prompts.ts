/** Commands that say something to an agent, or stop it. */
import type { z } from "@hono/zod-openapi";
import type { PromptPart } from "../../core/prompt-part.ts";
import * as routes from "../routes/sessions.ts";
import type { interruptedSchema } from "../schemas/session.ts";
import type {
  PassedMessage,
  PassedReceipt,
  PromptReceipt,
  QueueChecks,
  RegenerateTarget,
  SendPrompt,
} from "./command-types.ts";
import { auditNote, COMMIT_MS, defineCommand, defineRouteCommand, STOP_MS } from "./define-command.ts";

export const promptCommands = {
  /** Resolves when `prompt.accepted` is committed. */
  prompt: defineCommand<{ session: string; checks?: QueueChecks } & SendPrompt, PromptReceipt>({
    rights: ({ settings }) => [
      { right: "session.prompt" },
      ...(Object.keys(settings ?? {}).length > 0
        ? [{ right: "session.settings", path: "settings" } as const]
        : []),
    ],
    audit: auditNote("session.prompt"),
    // Its message has an id, which is found if it was accepted.
    forward: { timeoutMs: COMMIT_MS, isRepeatable: true },
  }),
  /**
   * Stops the running turn, or, with `turn`, only that one, so that a late or repeated stop does not hit the next prompt.
   * With `hold` no waiting prompt begins until a new one is sent, one of them is sent now, or `releaseQueue` is called.
   * Resolves when `turn.stopping` is committed.
   */
  interrupt: defineCommand<
    { session: string; turn?: string; hold?: boolean },
    z.infer<typeof interruptedSchema>,
    typeof routes.interrupt
  >({
    route: routes.interrupt,
    rights: "session.stop",
    audit: ({ session, hold }) => ({ action: "session.stop", session, ...(hold && { detail: "hold" }) }),
    forward: { timeoutMs: COMMIT_MS, isRepeatable: ({ turn }) => turn !== undefined, isOnLogOnly: true },
  }),
  /**
   * A client's history differs from ours at this message. A message in the history goes with everything after it and is
   * prompted again under its id, after the running turn is stopped and waiting prompts are withdrawn. A message that waits is
   * changed. An unknown message is a prompt. Edits and regenerations of a session are made one after the other.
   */
  edit: defineCommand<{ session: string; id: string; parts: PromptPart[] }, PromptReceipt>({
    rights: "session.prompt",
    audit: auditNote("session.rewrite"),
    // Given again it would take back the turn that the first one began.
    forward: { timeoutMs: STOP_MS, isRepeatable: false },
  }),
  /** Sends a prompt again unchanged, in the way of `edit`. */
  regenerate: defineCommand<{ session: string } & RegenerateTarget, PromptReceipt>({
    rights: "session.rewrite",
    audit: auditNote("session.rewrite"),
    forward: { timeoutMs: STOP_MS, isRepeatable: false },
  }),
  rewind: defineRouteCommand(routes.rewind, {
    rights: "session.rewrite",
    audit: auditNote("session.rewrite"),
    forward: { timeoutMs: STOP_MS, isRepeatable: false },
  }),
  /**
   * Keeps a message that no command covers in the log, and gives it to the agent if that speaks its protocol. An agent that
   * is started later does not get it.
   */
  passOn: defineCommand<{ session: string } & PassedMessage, PassedReceipt>({
    // Nobody knows what an agent makes of it.
    rights: "session.program",
    audit: auditNote("session.program", "unknown message"),
    forward: { timeoutMs: COMMIT_MS, isRepeatable: false },
  }),
};
