/** Plays a turn from its first line to its last, whatever happens in it. */
import { findScenario } from "./find-scenario.ts";
import type { Ending, Play } from "./scenario.ts";
import { Steered, type Turn } from "./turn.ts";

/** How the mock says why a turn began. */
export type Cause = { readonly prompt: string } | { readonly cause: string; readonly text: string };

export async function runTurn(turn: Turn, cause: Cause, play: Play): Promise<void> {
  const { output, asks } = turn.session;
  await output.send({ event: "turn_started", turn: turn.id, ...cause });
  await turn.startStep();
  const ending = await playToTheEnd(turn, play);
  for (const ask of asks.withdrawAll()) await output.send({ event: "ask_withdrawn", ask });
  await turn.finishStep();
  await output.send({ event: "turn_finished", turn: turn.id, ...ending });
}

async function playToTheEnd(turn: Turn, play: Play): Promise<Ending> {
  let ending = await playOnce(turn, play);
  while (!turn.signal.aborted && turn.takeSteering()) {
    await turn.startStep();
    ending = await playOnce(turn, findScenario(turn.prompt.text) ?? answerSteering);
  }
  return ending;
}

async function playOnce(turn: Turn, play: Play): Promise<Ending> {
  try {
    await play(turn);
    return turn.ending;
  } catch (error) {
    if (error instanceof Steered) return { reason: "done" };
    if (turn.signal.aborted) return { reason: "cancelled" };
    const message = error instanceof Error ? error.message : String(error);
    return { reason: "failed", error: { code: "mock_failed", message } };
  }
}

async function answerSteering(turn: Turn): Promise<void> {
  await turn.text(`Understood, I change course: ${turn.prompt.text}`);
}
