/** Token counts and money: Claude Code counts cached input apart, and totals over the life of its process. */
import type { Draft } from "../../../core/draft.ts";
import type { ClaudeState } from "../conversation-state.ts";
import type { ResultLine, WireUsage } from "../wire.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];

/** What one call of the model used. */
export function addUsage(state: ClaudeState, usage: WireUsage, model: string | undefined): Translation {
  const { input, output, cacheRead, cacheWrite } = tokensOf(usage);
  const reasoning = usage.output_tokens_details?.thinking_tokens ?? 0;
  const used = input + output;
  const { spent } = state;
  return [
    {
      ...state,
      contextUsed: used,
      spent: { ...spent, input: spent.input + input, output: spent.output + output },
    },
    [
      {
        type: "usage",
        input,
        output,
        ...(reasoning > 0 && { reasoning }),
        cacheRead,
        cacheWrite,
        model,
        context: { used },
      },
    ],
  ];
}

/** How full the context is, from a count that is not final. */
export function contextAfter(usage: WireUsage | undefined): number | undefined {
  if (!usage) return undefined;
  const { input, output } = tokensOf(usage);
  return input + output > 0 ? input + output : undefined;
}

/** What a turn cost, and the tokens nobody told of before: those of sub-agents and of messages that came whole. */
export function settleUsage(state: ClaudeState, result: ResultLine): Translation {
  const { total_cost_usd: total = 0, modelUsage } = result;
  const before = spentBefore(state, result);
  const more = modelUsage ? newTokens(totalOf(modelUsage), before) : untold(state, result.usage);
  const tokens = modelUsage
    ? totalOf(modelUsage)
    : { input: before.input + (more.input ?? 0), output: before.output + (more.output ?? 0) };
  const cost = Math.max(0, Math.round((total - before.cost) * 1e9) / 1e9);
  const next: ClaudeState = {
    ...state,
    spent: { ...tokens, cost: total },
    spentAtResult: tokens,
    hasResult: true,
  };
  if (cost === 0 && Object.keys(more).length === 0) return [next, []];
  const { contextUsed: used } = state;
  const size = state.model === undefined ? undefined : modelUsage?.[state.model]?.contextWindow;
  return [
    next,
    [
      {
        type: "usage",
        ...more,
        ...(cost > 0 && { cost }),
        ...(used !== undefined && size !== undefined && { context: { used, size } }),
      },
    ],
  ];
}

type Tokens = Readonly<Record<"input" | "output", number>>;

/** Empty where nothing is new. */
function newTokens(all: Tokens, before: Tokens): Partial<Tokens> {
  const input = Math.max(0, all.input - before.input);
  const output = Math.max(0, all.output - before.output);
  return input + output > 0 ? { input, output } : {};
}

/** What a result without totals has used beyond its messages. Only where these told nothing, the cache is news, too. */
function untold({ spent, spentAtResult }: ClaudeState, usage: WireUsage = {}) {
  const told = { input: spent.input - spentAtResult.input, output: spent.output - spentAtResult.output };
  const { input, output, cacheRead, cacheWrite } = tokensOf(usage);
  const more = newTokens({ input, output }, told);
  const isAll = told.input + told.output === 0 && more.input !== undefined;
  return { ...more, ...(isAll && { cacheRead, cacheWrite }) };
}

/** What of the totals was accounted for already. */
function spentBefore(state: ClaudeState, result: ResultLine): ClaudeState["spent"] {
  const { total_cost_usd: total = 0, modelUsage, model_usage_since_last_result: since } = result;
  if (!state.hasResult && state.resumed !== undefined && modelUsage) {
    // The totals of a conversation that was taken up may begin with those of earlier processes.
    const earlier = since ? difference(modelUsage, since) : undefined;
    if (earlier) {
      return {
        input: earlier.input + state.spent.input,
        output: earlier.output + state.spent.output,
        cost: earlier.cost,
      };
    }
  }
  // They start again from nothing when the conversation is cleared.
  return total < state.spent.cost ? { input: 0, output: 0, cost: 0 } : state.spent;
}

type ModelUsages = NonNullable<ResultLine["modelUsage"]>;

function difference(all: ModelUsages, part: ModelUsages): ClaudeState["spent"] {
  const [whole, some] = [totalOf(all), totalOf(part)];
  const cost = costOf(all) - costOf(part);
  return { input: whole.input - some.input, output: whole.output - some.output, cost };
}

function costOf(usage: ModelUsages): number {
  return Object.values(usage).reduce((sum, { costUSD = 0 }) => sum + costUSD, 0);
}

/** Later counts replace earlier ones, where they are told at all. */
export function mergeUsage(former: WireUsage, later: WireUsage | undefined): WireUsage {
  if (!later) return former;
  const told = Object.entries(later).filter(([, value]) => value !== null && value !== undefined);
  return { ...former, ...Object.fromEntries(told) };
}

function tokensOf(usage: WireUsage) {
  const cacheRead = usage.cache_read_input_tokens ?? 0;
  const cacheWrite = usage.cache_creation_input_tokens ?? 0;
  const input = (usage.input_tokens ?? 0) + cacheRead + cacheWrite;
  return { input, output: usage.output_tokens ?? 0, cacheRead, cacheWrite };
}

function totalOf(usage: ModelUsages): { input: number; output: number } {
  let input = 0;
  let output = 0;
  for (const model of Object.values(usage)) {
    input += model.inputTokens + model.cacheReadInputTokens + model.cacheCreationInputTokens;
    output += model.outputTokens;
  }
  return { input, output };
}
