/** Which checkpoint of a dialog is in force at a place of its log. */
import type { Principal } from "../../../core/principal.ts";
import type { Engine } from "../../../engine/engine.ts";

export async function readCheckpoints(
  engine: Pick<Engine, "run">,
  session: string,
  caller: Principal,
): Promise<(seq: number) => string | undefined> {
  // Without them a message is answered and a history is read all the same.
  const reading = engine.run("listCheckpoints", { session }, caller);
  const { checkpoints } = await reading.catch(() => ({ checkpoints: [] }));
  return (seq) => checkpoints.findLast((each) => each.seq < seq)?.id;
}
