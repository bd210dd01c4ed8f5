/** Copies a thread. The copy is one of its own, which nobody follows until a session takes it up. */
import { z } from "zod";
import type { CodexServer } from "./server.ts";

const forkedSchema = z.looseObject({ thread: z.looseObject({ id: z.string() }) });

export async function fork(server: CodexServer, threadId: string | undefined): Promise<string> {
  const forked = await server.call("thread/fork", { threadId, excludeTurns: true });
  const { id } = forkedSchema.parse(forked).thread;
  await server.call("thread/unsubscribe", { threadId: id });
  return id;
}
