/** Finds the checkpoint somebody means: by its id, the beginning of it, or `last`. */
import type { Session } from "../sdk/session.ts";
import type { Message } from "../sdk/types.ts";
import { UsageError } from "./usage-error.ts";

const MESSAGES_PER_PAGE = 20;

/** `last` is the one before the last prompt. */
export async function findCheckpoint(session: Session, given: string): Promise<string> {
  if (given === "last") return await findLast(session);
  const checkpoints = await session.checkpoints();
  const ids = new Set(checkpoints.filter(({ id }) => id.startsWith(given)).map(({ id }) => id));
  if (ids.size === 1) return [...ids][0]!;
  if (ids.size > 1) throw new UsageError(`Several checkpoints begin with "${given}". Give more of the id.`);
  throw new UsageError(`The session has no checkpoint "${given}". Run "interlingua checkpoints".`);
}

/** The conversation knows it: prompts that were taken back are not part of it, and a prompt need not have one of its own. */
async function findLast(session: Session): Promise<string> {
  let last: Message | undefined;
  for await (const prompt of promptsFromLast(session)) {
    // A prompt that was steered into a turn goes back with the one that began it.
    if (last && (last.metadata.turn === undefined || prompt.metadata.turn !== last.metadata.turn)) break;
    last ??= prompt;
    if (prompt.metadata.checkpoint !== undefined) return prompt.metadata.checkpoint;
  }
  if (!last) throw new UsageError("The session has no checkpoint from before a prompt yet.");
  throw await noneBefore(last, session);
}

async function* promptsFromLast(session: Session): AsyncGenerator<Message> {
  let before: string | undefined;
  for (;;) {
    const { messages, hasMore } = await session.messages({ before, limit: MESSAGES_PER_PAGE });
    yield* messages.filter(({ role }) => role === "user").reverse();
    before = messages[0]?.id;
    if (!hasMore || before === undefined) return;
  }
}

/** Going further back than what was asked for is for the person to decide. */
async function noneBefore({ id, firstSeq }: Message, session: Session): Promise<UsageError> {
  const checkpoints = await session.checkpoints();
  const earlier = checkpoints.findLast(
    ({ seq, dropped, elsewhere }) => seq < firstSeq && !dropped && !elsewhere,
  );
  const remedy = earlier
    ? `The latest from before it is ${earlier.id.slice(0, 12)} (${earlier.kind}).`
    : "There is none before it either.";
  return new UsageError(
    `The last prompt, ${id}, has no checkpoint: none could be taken. ${remedy} Run "interlingua checkpoints".`,
  );
}
