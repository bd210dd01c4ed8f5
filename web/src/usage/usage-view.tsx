/** What was used: money, tokens, turns and time, by day and by agent, model, directory or session. */
import { Download } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useFeed } from "../feed/use-feed.tsx";
import { Button } from "../ui/button.tsx";
import { formatCost, formatCount, formatDuration } from "../ui/format.ts";
import { Spinner } from "../ui/spinner.tsx";
import { Segments } from "./segments.tsx";
import { type ChartSeries, UsageChart } from "./usage-chart.tsx";
import { usageCsv } from "./usage-csv.ts";
import {
  type Amounts,
  add,
  daysBetween,
  groupUsage,
  MEASURES,
  type Measure,
  measured,
  NOTHING,
  USAGE_KEYS,
  type UsageGroup,
  type UsageKey,
} from "./usage-groups.ts";
import { UsageName, useUsageNames } from "./usage-name.tsx";
import { UsageTable } from "./usage-table.tsx";
import { UsageTotals } from "./usage-totals.tsx";
import { useUsage } from "./use-usage.ts";

const PERIODS = { "7": "7 days", "30": "30 days", "90": "90 days", all: "All" } as const;
type Period = keyof typeof PERIODS;

const KEY_NAMES: Readonly<Record<UsageKey, string>> = {
  agent: "Agent",
  model: "Model",
  directory: "Directory",
  session: "Session",
};
const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  cost: "Cost",
  tokens: "Tokens",
  turns: "Turns",
  time: "Time",
  asks: "Asks",
};
const FORMATS: Readonly<Record<Measure, (value: number) => string>> = {
  cost: formatCost,
  tokens: formatCount,
  turns: formatCount,
  time: formatDuration,
  asks: formatCount,
};

/** More cannot be told apart. */
const MAX_SERIES = 5;
/** A table of more is read as a file. */
const MAX_ROWS = 200;
/** Bars of fewer pixels say nothing. */
const MAX_DAYS = 120;

export default function UsageView({ menu }: { menu: ReactNode }) {
  const [period, setPeriod] = useState<Period>("30");
  const [key, setKey] = useState<UsageKey>("agent");
  const [measure, setMeasure] = useState<Measure>("cost");
  const { snapshots } = useFeed();
  const today = new Date().toISOString().slice(0, 10);
  const from = period === "all" ? undefined : dayBefore(today, Number(period) - 1);
  const { usage, isLoading, problem } = useUsage(key, from, snapshots);
  const names = useUsageNames(key);

  const groups = useMemo(() => (usage ? groupUsage(usage.rows, key, measure) : []), [usage, key, measure]);
  const total = groups.reduce<Amounts>(add, NOTHING);
  const series = useMemo(() => seriesOf(groups, measure, names), [groups, measure, names]);
  const days = useMemo(() => {
    const used = groups.flatMap((group) => [...group.days.keys()]).sort();
    return daysBetween(from ?? used[0] ?? today, today).slice(-MAX_DAYS);
  }, [groups, from, today]);

  function save() {
    const rows = groups.flatMap((group) =>
      [...group.days].map(([day, amounts]) => ({ day, name: group.name, ...amounts })),
    );
    const file = new Blob([usageCsv(key, rows)], { type: "text/csv" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = `usage-by-${key}-${today}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex h-12 shrink-0 items-center gap-2 border-b px-2 md:pr-3 md:pl-5">
        {menu}
        <h1 className="min-w-0 flex-1 truncate font-semibold">Usage</h1>
        {isLoading && <Spinner label="Reading" />}
        <Button size="small" disabled={groups.length === 0} onClick={save}>
          <Download /> CSV
        </Button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-5xl space-y-6 px-4 py-5 md:px-6">
          <div className="-ml-2">
            <Segments legend="Period" names={PERIODS} value={period} onChange={setPeriod} />
          </div>
          {problem && (
            <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger-text">
              {problem}
            </p>
          )}
          <UsageTotals total={total} />
          {usage && groups.length === 0 && (
            <p className="rounded-lg border border-dashed px-4 py-12 text-center text-muted-foreground">
              No turn ended in this time.
            </p>
          )}
          {groups.length > 0 && (
            <>
              <section aria-label={`${MEASURE_NAMES[measure]} by day`} className="rounded-lg border p-4">
                <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
                  <h2 className="font-medium">{MEASURE_NAMES[measure]} by day</h2>
                  <Segments
                    legend="What is shown"
                    names={MEASURE_NAMES}
                    order={MEASURES}
                    value={measure}
                    onChange={setMeasure}
                  />
                </div>
                <UsageChart days={days} series={series} measure={measure} format={FORMATS[measure]} />
              </section>
              <section aria-label={`By ${KEY_NAMES[key].toLowerCase()}`} className="rounded-lg border p-4">
                <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
                  <h2 className="font-medium">By {KEY_NAMES[key].toLowerCase()}</h2>
                  <Segments
                    legend="Added up by"
                    names={KEY_NAMES}
                    order={USAGE_KEYS}
                    value={key}
                    onChange={setKey}
                  />
                </div>
                <UsageTable
                  name={KEY_NAMES[key]}
                  groups={groups.slice(0, MAX_ROWS)}
                  series={series}
                  measure={measure}
                  nameOf={({ name }) => <UsageName by={key} name={name} label={names(name)} />}
                />
                {(groups.length > MAX_ROWS || usage?.isCut) && (
                  <p className="mt-2 text-2xs text-muted-foreground">
                    {usage?.isCut
                      ? "There is more than is read at once. Choose a shorter period."
                      : `The ${MAX_ROWS} with the most. All ${groups.length} are in the CSV.`}
                  </p>
                )}
              </section>
            </>
          )}
        </div>
      </div>
    </div>
  );
}

/** The biggest, each in a colour of its own, and the rest as one. */
function seriesOf(
  groups: readonly UsageGroup[],
  measure: Measure,
  names: (name: string) => string,
): ChartSeries[] {
  const shown = groups.filter((group) => measured(group, measure) > 0);
  const big = shown.slice(0, shown.length > MAX_SERIES + 1 ? MAX_SERIES : MAX_SERIES + 1);
  const rest = shown.slice(big.length);
  const series = big.map((group, index) => ({
    group,
    label: names(group.name),
    color: index < MAX_SERIES ? `var(--series-${index + 1})` : "var(--series-others)",
  }));
  if (rest.length === 0) return series;
  const days = new Map<string, Amounts>();
  for (const group of rest)
    for (const [day, amounts] of group.days) days.set(day, add(days.get(day) ?? NOTHING, amounts));
  const others = { ...rest.reduce<Amounts>(add, NOTHING), name: "others", days };
  return [...series, { group: others, label: `${rest.length} others`, color: "var(--series-others)" }];
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}
