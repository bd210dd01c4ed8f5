/** The course of a turn → drafts: its start, its steps, what it used, its retries, its end. */
import type { Draft } from "../../../core/draft.ts";
import type { TokenUsage } from "../../../core/usage.ts";
import type { Translation } from "../../transport/translator.ts";
import type { CodexState, RunningCommand } from "../conversation-state.ts";
import { endOf } from "../vocabulary.ts";
import type { WireError, WireTokens, WireTurn } from "../wire.ts";
import { leaveRunning } from "./command.ts";
import type { Origin } from "./origin.ts";

type Step = Translation<CodexState>;

/** A turn nobody here asked for: Codex compacts, reviews, or goes on with a goal. */
export function startTurn(state: CodexState, turn: WireTurn): Step {
  const id = state.turn?.id === turn.rootTurnId ? state.turn?.id : undefined;
  const next = { ...state, turn: { id: id ?? turn.id, isStarted: true } };
  if (state.turn) return [next, []];
  return [
    { ...next, isBetweenSteps: true },
    [{ type: "turn.started", cause: "agent", text: "Codex began to work by itself." }],
  ];
}

/** Content comes: a step begins with it when the last one is over. */
export function enterStep(state: CodexState): Step {
  if (!state.isBetweenSteps) return [state, []];
  const [left, drafts] = leaveRunning(state);
  return [{ ...left, isBetweenSteps: false }, [...drafts, { type: "step.started" }]];
}

export function endTurn(state: CodexState, turn: WireTurn): Step {
  const current = state.turn;
  const isCurrent = !current?.id || current.id === turn.id || current.id === turn.rootTurnId;
  // Told twice, or the end of a turn that was over when ours began.
  if (!isCurrent || turn.id === state.endedTurn) return [state, []];
  const [left, drafts] = leaveRunning(state);
  const stopped = turn.status === "interrupted" ? commandsOf(left, turn) : undefined;
  return [
    {
      ...left,
      turn: undefined,
      endedTurn: turn.id,
      isBetweenSteps: true,
      attempt: new Map(),
      texts: new Map([...state.texts].filter(([, { thread }]) => thread !== state.thread)),
      reasoning: new Map(),
      changes: new Map(),
      stopped: stopped ?? left.stopped,
      commands: stopped ? withStopped(left.commands, stopped) : left.commands,
    },
    [...drafts, { type: "turn.ended", ...endOf(turn), native: turn.id }],
  ];
}

function commandsOf(state: CodexState, { id, rootTurnId }: WireTurn): ReadonlySet<string> {
  const isOfTurn = ({ turn }: { turn: string }) => turn === id || turn === rootTurnId;
  return new Set([...state.commands].filter(([, command]) => isOfTurn(command)).map(([call]) => call));
}

function withStopped(commands: CodexState["commands"], stopped: ReadonlySet<string>): CodexState["commands"] {
  const mark = ([call, command]: [string, RunningCommand]) =>
    [call, stopped.has(call) ? { ...command, isStopped: true } : command] as const;
  return new Map([...commands].map(mark));
}

/** Told after each model response, and after each attempt that failed: what the thread has used in all. */
export function addUsage(
  state: CodexState,
  {
    total,
    last,
    modelContextWindow,
  }: { total: WireTokens; last: WireTokens; modelContextWindow?: number | null },
  turn: string | undefined,
): Step {
  const used = increment(state, total, last, turn);
  const context = {
    used: last.totalTokens,
    size: modelContextWindow ?? undefined,
  };
  const isSpent = used !== undefined && used.inputTokens + used.outputTokens > 0;
  // Nothing was added: no response has ended, and what this attempt said may be said again.
  if (used !== undefined && !isSpent) return [{ ...state, usage: total }, [{ type: "usage", context }]];
  const model = isSpent && used.inputTokens > 0 && state.model !== undefined ? { model: state.model } : {};
  return [
    { ...state, usage: total, isBetweenSteps: true, attempt: new Map() },
    [{ type: "usage", ...(isSpent && toUsage(used)), ...model, context }, { type: "step.ended" }],
  ];
}

/** A sub-agent's context is its own affair; what it used counts. */
export function agentUsage(last: WireTokens, origin: Origin): Draft {
  return { type: "usage", ...toUsage(last), ...origin };
}

/**
 * The totals are the thread's. After a resume the first one tells what was used long before; after a rewind they count
 * on from what they were at that place.
 */
function increment(
  { usage, turn: running }: CodexState,
  total: WireTokens,
  last: WireTokens,
  turn: string | undefined,
): WireTokens | undefined {
  if (usage === undefined) return running?.id !== undefined && running.id === turn ? last : undefined;
  const names = Object.keys(total) as (keyof WireTokens)[];
  const grown = Object.fromEntries(names.map((name) => [name, total[name] - usage[name]]));
  return names.some((name) => !((grown[name] ?? 0) >= 0)) ? last : (grown as unknown as WireTokens);
}

function toUsage(tokens: WireTokens): TokenUsage {
  return {
    input: tokens.inputTokens,
    output: tokens.outputTokens,
    reasoning: tokens.reasoningOutputTokens,
    cacheRead: tokens.cachedInputTokens,
    cacheWrite: tokens.cacheWriteInputTokens,
  };
}

/** What the failed attempt said will be said again. */
export function retry(state: CodexState, error: WireError, origin: Origin): Step {
  const isOwn = origin.task === undefined;
  const detail = error.additionalDetails;
  const notice: Draft = {
    type: "notice",
    level: "warning",
    code: "retry",
    text: error.message,
    data: detail == null ? {} : { detail },
    ...origin,
  };
  if (!isOwn) return [state, [notice]];
  const said: Draft[] =
    state.attempt.size === 0
      ? []
      : [{ type: "content.discarded", parts: [...state.attempt.keys()], calls: [], reason: "retry" }];
  return [{ ...state, attempt: new Map(), isBetweenSteps: true }, [...said, notice]];
}
