/** Stops one prompt, or the answer to it, and nothing that others asked for. */
import { InterlinguaError } from "./error.ts";
import { Backoff } from "./retry.ts";
import type { Session } from "./session.ts";

/** Takes the prompt back while it waits; later its turn is stopped. `message` is the prompt, or what answers it. */
export async function stopPrompt(session: Session, message: string): Promise<void> {
  const backoff = new Backoff();
  while (!(await isWithdrawn(session, message))) {
    const { state, turn } = await session.messageDetails(message);
    if (turn !== undefined) return void (await session.interrupt(turn));
    if (state !== "queued") return;
    // It begins just now: its turn is not stored yet.
    await backoff.pause();
  }
}

async function isWithdrawn(session: Session, message: string): Promise<boolean> {
  try {
    await session.withdrawQueued(message);
    return true;
  } catch (error) {
    if (InterlinguaError.is(error, "message_not_queued")) return false;
    throw error;
  }
}
