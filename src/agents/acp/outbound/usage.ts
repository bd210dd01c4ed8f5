/** What agents tell about tokens and money, in the several places where they do. */
import type { Draft } from "../../../core/draft.ts";
import { isRecord } from "../../../core/is-record.ts";
import type { TokenUsage } from "../../../core/usage.ts";
import { withoutUndefined } from "../../../core/without-undefined.ts";
import type { AcpState } from "../conversation-state.ts";
import { tellsTotals } from "../quirks.ts";
import { countOf, type JsonObject, objectOf, textOf } from "../untyped.ts";

type UsageDraft = { readonly type: "usage" } & TokenUsage;

/** `usage` as the protocol has it, and the spellings some agents have of it. */
export function tokenUsage(value: unknown): UsageDraft | undefined {
  if (!isRecord(value)) return undefined;
  const input = countOf(value.inputTokens ?? value.input_tokens);
  const output = countOf(value.outputTokens ?? value.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = countOf(value.cachedReadTokens);
  // A zero in an agent's own spelling says no more than silence.
  const cacheWrite = countOf(value.cachedWriteTokens) ?? (countOf(value.cacheCreationTokens) || undefined);
  const reasoning = countOf(value.thoughtTokens) ?? (countOf(value.reasoningTokens) || undefined);
  const total = countOf(value.totalTokens) ?? 0;
  // Our input is all of it. Where the total is more than the sum, the agent counts what was cached apart.
  const isApart = total > (input ?? 0) + (output ?? 0);
  return withoutUndefined({
    type: "usage" as const,
    input: isApart ? (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) : input,
    output,
    reasoning,
    cacheRead,
    cacheWrite,
  });
}

/** What the answer to a prompt says the turn used: in the protocol's place, or in one of an agent's own. */
export function translateTurnUsage(
  state: AcpState,
  result: JsonObject,
): readonly [AcpState, UsageDraft | undefined] {
  const meta = objectOf(result._meta);
  const usage =
    tokenUsage(result.usage) ?? tokenUsage(meta.usage) ?? tokenUsage(objectOf(meta.quota).token_count);
  if (usage === undefined || !tellsTotals(state.agent?.name)) return [state, usage];
  const { type: _type, ...used } = usage;
  return [
    { ...state, used },
    { type: "usage", ...increment(state.used, used) },
  ];
}

function increment(former: TokenUsage, total: TokenUsage): TokenUsage {
  const fields = Object.entries(total) as [keyof TokenUsage, number][];
  return Object.fromEntries(
    fields.map(([field, count]) => [field, Math.max(0, count - (former[field] ?? 0))]),
  );
}

/** How full the context is, and what was spent until now: a sum, of which only what is new counts. */
export function translateUsageUpdate(
  state: AcpState,
  update: JsonObject,
): readonly [AcpState, readonly Draft[]] {
  const used = countOf(update.used);
  const size = countOf(update.size);
  const { amount } = objectOf(update.cost);
  const total = typeof amount === "number" && Number.isFinite(amount) ? amount : state.cost;
  const isKnown = total !== undefined && state.cost !== undefined && !state.isReplaying;
  const spent = isKnown ? Math.round((total - state.cost) * 1e9) / 1e9 : 0;
  const context = JSON.stringify([used, size]);
  if (context === state.context && total === state.cost) return [state, []];
  const next = { ...state, cost: total, context };
  if (used === undefined && spent <= 0) return [next, []];
  return [
    next,
    [
      withoutUndefined({
        type: "usage" as const,
        cost: spent > 0 ? spent : undefined,
        model: textOf(objectOf(update._meta)["_claude/model"]),
        context: used === undefined ? undefined : withoutUndefined({ used, size }),
      }),
    ],
  ];
}
