/** Opens and shuts down a session step by step, within a time limit. */
import type { ErrorCode, ErrorExtras } from "../../core/error.ts";
import type { OpeningStep, ShutdownStep } from "./translator.ts";

/** The part of a session these steps need. */
export interface SteppedSession {
  /** The exit of the agent was recorded: nothing follows it. */
  hasEnded(): boolean;
  /** Resolves at the next record, and when the session is woken. */
  nextRecord(): Promise<void>;
  wake(): void;
  /** Never throws. An agent that takes no input is as good as gone; its exit or the time limit will say so. */
  tell(lines: readonly string[]): void;
}

export interface OpeningFailure extends Pick<ErrorExtras, "keepsConversation"> {
  readonly reason: string;
  readonly code?: ErrorCode;
}

export interface OpeningLimits {
  /** Stops the opening, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** As long as `signal` allows when absent. */
  readonly timeoutMs?: number;
}

/** How long a ready agent that keeps talking is waited for. */
const MAX_SETTLE_MS = 30_000;

/** Runs the opening until the agent is ready. Resolves with the reason when it will not be. */
export async function openStepwise(
  session: SteppedSession,
  nextStep: () => OpeningStep,
  { signal, timeoutMs }: OpeningLimits,
): Promise<OpeningFailure | undefined> {
  using disposables = new DisposableStack();
  const limit = timeoutMs === undefined ? undefined : disposables.use(timeLimit(session, timeoutMs));
  const stop = () => session.wake();
  signal?.addEventListener("abort", stop, { once: true });
  disposables.defer(() => signal?.removeEventListener("abort", stop));
  let settling: TimeLimit | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const opening = nextStep();
    if (opening.step === "ready") return undefined;
    if (opening.step === "failed") return opening;
    if (session.hasEnded()) return { reason: "it exited before it was ready" };
    if (limit?.isOver && opening.step === "settle") return undefined;
    if (limit?.isOver)
      return { reason: `it was not ready within ${timeoutMs! / 1000} seconds`, keepsConversation: true };
    if (opening.step === "send") session.tell(opening.lines);
    else if (opening.step === "wait") await session.nextRecord();
    else {
      settling ??= disposables.use(timeLimit(session, MAX_SETTLE_MS));
      if (settling.isOver || (await isQuietFor(session, opening.quietMs))) return undefined;
    }
  }
}

/** Graceful shutdown: resolves when the agent is done, gone or late. */
export async function shutDownStepwise(
  session: SteppedSession,
  nextStep: () => ShutdownStep,
  timeoutMs: number,
): Promise<void> {
  using limit = timeLimit(session, timeoutMs);
  while (!limit.isOver && !session.hasEnded()) {
    const next = nextStep();
    if (next.step === "done") return;
    if (next.step === "wait") await session.nextRecord();
    else session.tell(next.lines);
  }
}

type TimeLimit = ReturnType<typeof timeLimit>;

function timeLimit(session: SteppedSession, milliseconds: number) {
  const limit = { isOver: false, [Symbol.dispose]: () => clearTimeout(timer) };
  const timer = setTimeout(() => {
    limit.isOver = true;
    session.wake();
  }, milliseconds);
  return limit;
}

/** False as soon as something comes. */
async function isQuietFor(session: SteppedSession, milliseconds: number): Promise<boolean> {
  const record = session.nextRecord();
  let timer: NodeJS.Timeout | undefined;
  const quiet = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), milliseconds);
  });
  const isQuiet = await Promise.race([quiet, record.then(() => false)]);
  clearTimeout(timer);
  return isQuiet;
}
