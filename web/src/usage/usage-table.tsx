/** Usage by one key, the most first. */
import type { ReactNode } from "react";
import { classNames } from "../ui/class-names.ts";
import { formatCost, formatCount, formatDuration } from "../ui/format.ts";
import type { ChartSeries } from "./usage-chart.tsx";
import { type Measure, measured, type UsageGroup } from "./usage-groups.ts";

interface UsageTableProps {
  /** What the groups are: "Agent". */
  name: string;
  groups: readonly UsageGroup[];
  /** Those that have a colour in the chart. */
  series: readonly ChartSeries[];
  measure: Measure;
  nameOf: (group: UsageGroup) => ReactNode;
}

const COLUMNS: readonly {
  name: string;
  measure?: Measure;
  value: (group: UsageGroup) => string;
}[] = [
  { name: "Cost", measure: "cost", value: ({ cost }) => formatCost(cost) },
  { name: "Input", measure: "tokens", value: ({ input }) => formatCount(input) },
  { name: "Output", measure: "tokens", value: ({ output }) => formatCount(output) },
  { name: "Turns", measure: "turns", value: ({ turns }) => formatCount(turns) },
  { name: "Time", measure: "time", value: ({ durationMs }) => formatDuration(durationMs) },
  { name: "Tools", value: ({ tools }) => formatCount(tools) },
  { name: "Asks", measure: "asks", value: ({ asks }) => formatCount(asks) },
  { name: "Allowed", measure: "asks", value: ({ allowed }) => formatCount(allowed) },
  { name: "Denied", measure: "asks", value: ({ denied }) => formatCount(denied) },
];

export function UsageTable({ name, groups, series, measure, nameOf }: UsageTableProps) {
  const most = Math.max(...groups.map((group) => measured(group, measure)), 0) || 1;
  return (
    // On narrow screens it is moved sideways, below the names.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard
    <section aria-label="Table" tabIndex={0} className="overflow-x-auto">
      <table className="w-full min-w-[52rem] table-fixed border-collapse text-[0.8125rem]">
        <thead>
          <tr className="border-b text-2xs text-muted-foreground">
            <th
              scope="col"
              className="sticky left-0 w-40 bg-background py-1.5 pr-3 text-left font-medium md:w-auto"
            >
              {name}
            </th>
            {COLUMNS.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={classNames(
                  "w-18 py-1.5 pl-2 text-right font-medium",
                  column.measure === measure && "text-foreground",
                )}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.name} className="border-b last:border-0">
              <th scope="row" className="sticky left-0 bg-background py-1.5 pr-3 text-left font-normal">
                <span className="flex min-w-0 items-center gap-2">{nameOf(group)}</span>
                <span aria-hidden="true" className="mt-1 block h-1 overflow-hidden rounded-full bg-muted">
                  <span
                    className="block h-full rounded-full"
                    style={{
                      width: `${(measured(group, measure) / most) * 100}%`,
                      background:
                        series.find((entry) => entry.group === group)?.color ?? "var(--series-others)",
                    }}
                  />
                </span>
              </th>
              {COLUMNS.map((column) => (
                <td
                  key={column.name}
                  className={classNames(
                    "py-1.5 pl-2 text-right align-top tabular-nums",
                    column.measure === measure ? "font-medium" : "text-soft",
                  )}
                >
                  {column.value(group)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
