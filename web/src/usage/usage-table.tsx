/** Usage by one key, the most first. */
import { type ReactNode, useRef, useState } from "react";
import { classNames } from "../ui/class-names.ts";
import { formatCost, formatCount, formatDuration } from "../ui/format.ts";
import { useWidth } from "../ui/use-width.ts";
import type { ChartSeries } from "./usage-chart.tsx";
import { type Measure, measured, type UsageGroup, workedMs } from "./usage-groups.ts";

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
  value: (group: UsageGroup) => ReactNode;
}[] = [
  { name: "Cost", measure: "cost", value: (group) => <Cost {...group} /> },
  { name: "Input", measure: "tokens", value: ({ input }) => formatCount(input) },
  { name: "Output", measure: "tokens", value: ({ output }) => formatCount(output) },
  { name: "Turns", measure: "turns", value: ({ turns }) => formatCount(turns) },
  { name: "Agents at\u00a0work", measure: "time", value: (group) => formatDuration(workedMs(group)) },
  { name: "Tools", value: ({ tools }) => formatCount(tools) },
  { name: "Asks", measure: "asks", value: ({ asks }) => formatCount(asks) },
  { name: "Allowed", measure: "asks", value: ({ allowed }) => formatCount(allowed) },
  { name: "Denied", measure: "asks", value: ({ denied }) => formatCount(denied) },
];

/** Pixels. */
const NAME_WIDTH = 150;
const COLUMN_WIDTH = 72;

const NAME = "sticky left-0 z-1 bg-background py-1.5 pr-3 text-left";
/** Something is below the names. */
const MOVED =
  "after:absolute after:inset-y-0 after:-right-3 after:w-3 after:bg-linear-to-r after:from-foreground/10 after:to-transparent";

export function UsageTable({ name, groups, series, measure, nameOf }: UsageTableProps) {
  const most = Math.max(...groups.map((group) => measured(group, measure)), 0) || 1;
  const scroller = useRef<HTMLElement>(null);
  const width = useWidth(scroller);
  const [left, setLeft] = useState(0);
  const columns = columnWidth(width);
  // Until its width is known nothing is cut.
  const hidden = columns === undefined ? 0 : NAME_WIDTH + COLUMNS.length * columns - width;
  return (
    <div className="relative">
      {/* On narrow screens it is moved sideways, below the names, and rests between two columns. */}
      <section
        ref={scroller}
        aria-label="Table"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard
        tabIndex={0}
        onScroll={(event) => setLeft(event.currentTarget.scrollLeft)}
        style={{ scrollPaddingLeft: NAME_WIDTH }}
        className="snap-x snap-mandatory overflow-x-auto"
      >
        <table
          style={hidden > 0 ? { width: width + hidden } : undefined}
          className="w-full table-fixed border-collapse text-[0.8125rem]"
        >
          <thead>
            <tr className="border-b text-2xs text-muted-foreground">
              <th
                scope="col"
                style={hidden > 0 ? { width: NAME_WIDTH } : undefined}
                className={classNames(NAME, "font-medium", left > 0 && MOVED)}
              >
                {name}
              </th>
              {COLUMNS.map((column) => (
                <th
                  key={column.name}
                  scope="col"
                  style={{ width: columns ?? COLUMN_WIDTH }}
                  className={classNames(
                    "snap-start px-1.5 py-1.5 text-right font-medium",
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
                <th scope="row" className={classNames(NAME, "font-normal", left > 0 && MOVED)}>
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
                      "px-1.5 py-1.5 text-right align-top tabular-nums",
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
      {left < hidden - 1 && (
        <div
          aria-hidden="true"
          data-more
          className="pointer-events-none absolute inset-y-0 right-0 w-5 border-r bg-linear-to-l from-foreground/14 to-transparent"
        />
      )}
    </div>
  );
}

/** Play money is shown where there is no other, and told from it. */
function Cost({ cost, playCost }: Pick<UsageGroup, "cost" | "playCost">) {
  if (cost > 0 || playCost === 0) return formatCost(cost);
  return (
    <span data-play-money className="font-normal text-muted-foreground">
      {formatCost(playCost)}
      <span className="block whitespace-nowrap text-2xs">play money</span>
    </span>
  );
}

/** So that columns end where the table is cut; undefined where all have room. */
function columnWidth(width: number): number | undefined {
  const room = width - NAME_WIDTH;
  const fitting = Math.max(1, Math.floor(room / COLUMN_WIDTH));
  return width === 0 || fitting >= COLUMNS.length ? undefined : room / fitting;
}
