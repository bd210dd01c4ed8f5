/** Which checkpoint of a dialog is in force at a place of its log. */
import type { Engine } from "../../../engine/engine.ts";

export async function readCheckpoints(
  engine: Pick<Engine, "checkpoints">,
  session: string,
): Promise<(seq: number) => string | undefined> {
  // Without them a message is answered and a history is read all the same.
  const checkpoints = await engine.checkpoints(session).catch(() => []);
  return (seq) => checkpoints.findLast((each) => each.seq < seq)?.id;
}
