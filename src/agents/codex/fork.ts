/** Copies a thread. The copy is one of its own, which nobody follows until a session takes it up. */
import { z } from "zod";
import type { ConversationPlace } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { CodexServer } from "./server.ts";

const forkedSchema = z.looseObject({ thread: z.looseObject({ id: z.string() }) });

export async function fork(
  server: CodexServer,
  threadId: string | undefined,
  { after, before }: Omit<ConversationPlace, "agentSessionId"> = {},
  { cwd, signal }: { cwd?: string; signal?: AbortSignal } = {},
): Promise<string> {
  // Codex cuts at turns; of prompts it has other ids.
  if (after === undefined && before !== undefined)
    throw new InterlinguaError("conversation_lost", "It is not known where in Codex's thread the copy ends.");
  const params = { threadId, lastTurnId: after, cwd, excludeTurns: true };
  const forked = await server.call("thread/fork", params, { signal });
  const { id } = forkedSchema.parse(forked).thread;
  await server.call("thread/unsubscribe", { threadId: id }, { signal });
  return id;
}
