/** Plays a turn from its first line to its last, whatever happens in it. */
import { findScenario } from "./find-scenario.ts";
import type { Ending, Play } from "./scenario.ts";
import { Steered, type Turn } from "./turn.ts";

/** Why the mock began a turn by itself. */
export interface OwnCause {
  readonly cause: string;
  readonly text: string;
  readonly task?: string;
}

export type Cause = { readonly prompt: string } | OwnCause;

export async function runTurn(turn: Turn, cause: Cause, play: Play): Promise<void> {
  const { output, asks } = turn.session;
  await output.send({ event: "turn_started", turn: turn.id, ...cause });
  await turn.startStep();
  const ending = await playToTheEnd(turn, play);
  await returnSteering(turn);
  for (const ask of asks.withdrawAll()) await output.send({ event: "ask_withdrawn", ask });
  await turn.finishStep();
  await output.send({ event: "turn_finished", turn: turn.id, ...ending });
}

async function playToTheEnd(turn: Turn, play: Play): Promise<Ending> {
  let ending = await playOnce(turn, play);
  while (ending.reason === "done" && turn.takeSteering()) {
    await turn.finishStep();
    await turn.session.output.send({ event: "steering_taken", prompt: turn.prompt.prompt });
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

/** A turn that was stopped takes up nothing more; what was to steer it is given back. */
async function returnSteering(turn: Turn): Promise<void> {
  const { conversation, output } = turn.session;
  const reason = "the turn ended before it was taken up";
  for (const { prompt } of turn.stopSteering()) {
    conversation.forgetFrom(prompt);
    await output.send({ event: "steering_returned", prompt, reason });
  }
}

async function answerSteering(turn: Turn): Promise<void> {
  await turn.text(`Understood, I change course: ${turn.prompt.text}`);
}
