/** `interlingua usage`: tokens, cost and time, added up. */
import { usageCsv } from "../../core/usage-csv.ts";
import {
  USAGE_KEYS,
  type UsageGroup,
  UsageGroups,
  type UsageKey,
  type UsageTotals,
} from "../../core/usage-groups.ts";
import { assertAgentFlag } from "../agent-names.ts";
import { type CommandBody, type Flags, type Invocation, JSON_OPTION, READER_OPTIONS } from "../command.ts";
import { formatCost } from "../format-cost.ts";
import { fitsTerminal, formatTable } from "../format-table.ts";
import { openReader } from "../open-reader.ts";
import { print, printJson, printNote, terminalWidth } from "../output.ts";
import type { Reader } from "../reader.ts";
import { resolveSession } from "../resolve-session.ts";
import { UsageError } from "../usage-error.ts";

export const usage: CommandBody = {
  positionals: ["[SESSION]"],
  details:
    "Of everything, or of one session. Days are in UTC. Where no daemon runs, what the last one wrote is read.",
  options: {
    ...JSON_OPTION,
    csv: { type: "boolean", help: "Print comma-separated values, for a spreadsheet" },
    by: {
      type: "string",
      placeholder: "KEYS",
      values: USAGE_KEYS,
      help: `Any of ${USAGE_KEYS.join(", ")}, with commas (agent)`,
    },
    agent: { type: "string", placeholder: "NAME", help: "Only of this agent" },
    session: { type: "string", placeholder: "ID", help: "Only of this session, like SESSION" },
    from: { type: "string", placeholder: "DAY", help: "The first day, such as 2026-01-31" },
    to: { type: "string", placeholder: "DAY", help: "The last day" },
    ...READER_OPTIONS,
  },
  async run(invocation) {
    const { flags } = invocation;
    const by = readKeys(flags.text("by") ?? "agent");
    const [from, to] = [readDay(flags, "from"), readDay(flags, "to")];
    const named = readSession(invocation);
    const reader = await openReader(invocation);
    const query = { by, agent: flags.text("agent"), from, to };
    const used = await readUsage(reader, query, named).finally(() => reader.close());
    if (used.rows.length === 0) await assertAgentFlag(invocation);
    if (flags.on("json")) printJson(used);
    else if (flags.on("csv")) process.stdout.write(usageCsv(new UsageGroups(by).keys, used.rows));
    else if (used.rows.length > 0) show(toTable(by, used), used.total);
    else printNote("Nothing was used.");
    return 0;
  },
};

function show({ table, leftOut }: ReturnType<typeof toTable>, { playCost }: UsageTotals): void {
  print(table);
  if (leftOut.length > 0)
    printNote(`The terminal is too narrow for ${leftOut.join(", ")}. A wider one shows them, and --json.`);
  if (playCost !== undefined)
    printNote(`${formatCost(playCost)} is play money, such as the mock's: it is in brackets and in no sum.`);
}

async function readUsage(reader: Reader, query: Parameters<Reader["usage"]>[0], named: string | undefined) {
  const session = named === undefined ? undefined : await resolveSession(reader, named);
  return reader.usage({ ...query, session });
}

function readSession({ positionals: [given], flags }: Invocation): string | undefined {
  const named = flags.text("session");
  if (given !== undefined && named !== undefined && given !== named)
    throw new UsageError(`"${given}" and --session name two sessions. Give one of them.`);
  return given ?? named;
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

/** Left out one after the other where the terminal is too narrow for all; the others are what one looks for. */
const LESS_NEEDED: readonly Column[] = ["CACHED", "WAITED", "TOOLS", "ASKS", "TIME", "TURNS"];

function toTable(
  by: readonly UsageKey[],
  { rows, total }: { rows: UsageGroup[]; total: UsageTotals },
): { table: string; leftOut: readonly Column[] } {
  const last = by.map((_, column) => (column === 0 ? "all" : ""));
  const lines = [
    ...rows.map((row) => ({ keys: by.map((key) => row[key] ?? ""), amounts: amounts(row) })),
    ...(rows.length > 1 ? [{ keys: last, amounts: amounts({ ...total, playCost: undefined }) }] : []),
  ];
  for (let count = 0; ; count++) {
    const leftOut = LESS_NEEDED.slice(0, count);
    const columns = COLUMNS.filter((column) => !leftOut.includes(column));
    const header = [...by.map((key) => key.toUpperCase()), ...columns];
    const cells = lines.map(({ keys, amounts }) => [...keys, ...columns.map((column) => amounts[column])]);
    const isLast = count === LESS_NEEDED.length;
    if (isLast || fitsTerminal(header, cells, terminalWidth()))
      return { table: formatTable(header, cells), leftOut };
  }
}

const COLUMNS = ["TURNS", "INPUT", "CACHED", "OUTPUT", "TOOLS", "ASKS", "TIME", "WAITED", "COST"] as const;
type Column = (typeof COLUMNS)[number];

/** Cached is a part of input. Time is without what was waited for a person. */
function amounts({
  turns,
  usage: tokens,
  tools,
  asks,
  durationMs,
  waitedMs,
  cost,
  playCost,
}: UsageTotals): Record<Column, string> {
  const count = (value: number | undefined) => String(value ?? "-");
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)}s`;
  return {
    TURNS: count(turns),
    INPUT: count(tokens.input),
    CACHED: count(tokens.cacheRead),
    OUTPUT: count(tokens.output),
    TOOLS: count(tools),
    ASKS: count(asks),
    TIME: seconds(durationMs - waitedMs),
    WAITED: waitedMs === 0 ? "-" : seconds(waitedMs),
    // A row of an agent with play money has nothing else.
    COST: cost > 0 ? formatCost(cost) : playCost === undefined ? "-" : `(${formatCost(playCost)})`,
  };
}
