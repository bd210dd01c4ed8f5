/** Lets all sessions go to other nodes: those that are idle at once, the others when their turns have ended. */
import { setTimeout as sleep } from "node:timers/promises";
import type { EngineLogger } from "../engine-services.ts";
import type { SessionActor } from "../session/session-actor.ts";
import type { SessionDirectory } from "../session/session-directory.ts";
import { DrainReport } from "./drain-report.ts";

const LOOK_AGAIN_MS = 50;

/** What a turn ends with that takes too long. */
const TOO_LONG = {
  code: "node_draining",
  message: "The node was told to go, and this turn took longer than it waits.",
};

export interface DrainSessions {
  sessions: Pick<SessionDirectory, "all" | "letGo">;
  /** How long turns may go on. */
  limitMs: number;
  logger: Pick<EngineLogger, "info" | "warn" | "error">;
}

/** Nothing is claimed any more, so no session comes. Resolves when all are gone. Never rejects. */
export async function drainSessions({ sessions, limitMs, logger }: DrainSessions): Promise<void> {
  const until = performance.now() + limitMs;
  const report = new DrainReport(logger, limitMs);
  const leaving = new Map<SessionActor, Promise<void>>();
  const leave = (actor: SessionActor, act: () => Promise<void>) => {
    if (leaving.has(actor)) return;
    leaving.set(
      actor,
      act()
        .catch((error: unknown) =>
          logger.error(
            { err: error, session: actor.state.id },
            "a session could not leave, and is tried again",
          ),
        )
        .finally(() => leaving.delete(actor)),
    );
  };
  for (;;) {
    const actors = await sessions.all();
    if (actors.length === 0) break;
    const isOver = performance.now() >= until;
    report.waitFor(
      actors.filter((actor) => !actor.canMove && !actor.isBetweenTurns).map(({ state }) => state),
    );
    if (isOver) report.giveUp();
    for (const actor of actors) {
      actor.steps.drain();
      if (actor.canMove) leave(actor, () => sessions.letGo(actor));
      else if (actor.isBetweenTurns) leave(actor, () => actor.rest());
      else if (isOver) leave(actor, () => stopAndLetGo(actor, sessions));
    }
    await sleep(LOOK_AGAIN_MS);
  }
  await Promise.allSettled(leaving.values());
  report.end();
}

/** What its turn ended with, and what stands beside it, is committed before anybody else may have it. */
async function stopAndLetGo(actor: SessionActor, sessions: DrainSessions["sessions"]): Promise<void> {
  const { log } = actor;
  await actor.stop(TOO_LONG).catch(() => {});
  await log.flush().catch(() => {});
  // Nobody waits for memory and raw records: they may come to the store a moment later than events.
  while (!log.isCommitted && !log.hasEnded) await sleep(LOOK_AGAIN_MS);
  await sessions.letGo(actor);
}
