/** `interlingua usage`: tokens, cost and time, added up. */
import { USAGE_KEYS, type UsageGroup, type UsageKey, type UsageTotals } from "../../core/usage-groups.ts";
import { type CommandBody, type Flags, JSON_OPTION, READER_OPTIONS } from "../command.ts";
import { formatTable } from "../format-table.ts";
import { openReader } from "../open-reader.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import type { Reader } from "../reader.ts";
import { resolveSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";

export const usage: CommandBody = {
  positionals: [],
  details: "Days are in UTC. Where no daemon runs, what the last one wrote is read.",
  options: {
    ...JSON_OPTION,
    by: {
      type: "string",
      placeholder: "KEYS",
      values: USAGE_KEYS,
      help: `Any of ${USAGE_KEYS.join(", ")}, with commas (agent)`,
    },
    agent: { type: "string", placeholder: "NAME", help: "Only of this agent" },
    session: { type: "string", placeholder: "ID", help: "Only of this session" },
    from: { type: "string", placeholder: "DAY", help: "The first day, such as 2026-01-31" },
    to: { type: "string", placeholder: "DAY", help: "The last day" },
    ...READER_OPTIONS,
  },
  async run(invocation) {
    const { flags } = invocation;
    const by = readKeys(flags.text("by") ?? "agent");
    const [from, to] = [readDay(flags, "from"), readDay(flags, "to")];
    const reader = await openReader(invocation);
    const used = await readUsage(reader, { by, agent: flags.text("agent"), from, to }, flags).finally(() =>
      reader.close(),
    );
    if (flags.on("json")) printJson(used);
    else if (used.rows.length > 0) print(toTable(by, used));
    else printNote("Nothing was used.");
    return 0;
  },
};

async function readUsage(reader: Reader, query: Parameters<Reader["usage"]>[0], flags: Flags) {
  const named = flags.text("session");
  const session = named === undefined ? undefined : await resolveSession(reader, named);
  return reader.usage({ ...query, session });
}

function readKeys(text: string): UsageKey[] {
  return text.split(",").map((word) => {
    const key = USAGE_KEYS.find((known) => known === word.trim());
    if (key !== undefined) return key;
    throw new UsageError(`--by: there is no "${word}". Use any of ${USAGE_KEYS.join(", ")}, with commas.`);
  });
}

function readDay(flags: Flags, name: string): string | undefined {
  const text = flags.text(name);
  if (text === undefined || /^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  throw new UsageError(`--${name}: "${text}" is not a day. Write it like 2026-01-31.`);
}

function toTable(
  by: readonly UsageKey[],
  { rows, total }: { rows: UsageGroup[]; total: UsageTotals },
): string {
  const header = ["TURNS", "INPUT", "CACHED", "OUTPUT", "TOOLS", "ASKS", "TIME", "COST"];
  const last = by.map((_, column) => (column === 0 ? "all" : ""));
  return formatTable(
    [...by.map((key) => key.toUpperCase()), ...header],
    [
      ...rows.map((row) => [...by.map((key) => row[key] ?? ""), ...amounts(row)]),
      ...(rows.length > 1 ? [[...last, ...amounts(total)]] : []),
    ],
    terminalWidth(),
  );
}

/** Cached is a part of input. */
function amounts({ turns, usage: tokens, tools, asks, durationMs, cost }: UsageTotals): string[] {
  const { input, cacheRead, output } = tokens;
  const seconds = `${(durationMs / 1000).toFixed(1)}s`;
  return [
    ...[turns, input, cacheRead, output, tools, asks].map((count) => String(count ?? "-")),
    seconds,
    cost === 0 ? "-" : `$${cost.toFixed(cost < 1 ? 4 : 2)}`,
  ];
}
