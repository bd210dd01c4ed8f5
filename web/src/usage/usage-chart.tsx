/** Usage by day, as stacked bars. Pointer and arrow keys choose a day, and what it has is said in words. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { useWidth } from "../ui/use-width.ts";
import { type Measure, measured, NOTHING, niceCeiling, type UsageGroup } from "./usage-groups.ts";

export interface ChartSeries {
  group: UsageGroup;
  label: string;
  /** As a CSS value. */
  color: string;
}

interface UsageChartProps {
  days: readonly string[];
  /** From the bottom up. */
  series: readonly ChartSeries[];
  measure: Measure;
  format: (value: number) => string;
}

/** Where the lines are, as parts of the highest value. */
const GRID = [0, 0.5, 1];
const HEIGHT = 168;
/** A day with the room around it. */
const MIN_LABEL_WIDTH = 84;
/** Above the bars, for half of the highest label. */
const TOP = 8;
const BASE = HEIGHT - 22;

export function UsageChart({ days, series, measure, format }: UsageChartProps) {
  const [chosen, setChosen] = useState<number>();
  const amountOf = (group: UsageGroup, day: string) => measured(group.days.get(day) ?? NOTHING, measure);
  const sumOf = (day: string) => series.reduce((sum, { group }) => sum + amountOf(group, day), 0);
  const top = niceCeiling(Math.max(...days.map(sumOf), 0));
  const width = 100 / days.length;
  const y = (value: number) => BASE - (value / top) * (BASE - TOP);
  const day = chosen === undefined ? undefined : days[chosen];
  const plot = useRef<HTMLDivElement>(null);
  // As many labels as have room: the first and the last are moved inwards.
  const labels = Math.max(2, Math.min(8, Math.floor(useWidth(plot) / MIN_LABEL_WIDTH)));
  const step = Math.max(1, Math.ceil(days.length / labels));

  function wordsOf(day: string): string {
    const parts = series
      .filter(({ group }) => amountOf(group, day) > 0)
      .map(({ group, label }) => `${label} ${format(amountOf(group, day))}`);
    return `${formatDay(day)}: ${[format(sumOf(day)), ...parts].join(", ")}`;
  }

  function onPointer(event: PointerEvent<HTMLElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * days.length);
    setChosen(Math.max(0, Math.min(days.length - 1, index)));
  }

  function onKey(event: KeyboardEvent) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setChosen((at) => Math.max(0, Math.min(days.length - 1, (at ?? days.length) + by)));
  }

  return (
    <figure className="relative">
      {GRID.map((part) => (
        <span
          key={part}
          aria-hidden="true"
          style={{ top: y(part * top) }}
          className="-translate-y-1/2 absolute left-0 w-11 truncate text-right text-[0.625rem] text-muted-foreground tabular-nums"
        >
          {format(part * top)}
        </span>
      ))}
      <div
        ref={plot}
        role="slider"
        aria-label="By day"
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(chosen ?? days.length - 1) + 1}
        aria-valuetext={wordsOf(day ?? days.at(-1)!)}
        tabIndex={0}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => setChosen(undefined)}
        onKeyDown={onKey}
        onBlur={() => setChosen(undefined)}
        className="ml-13 touch-pan-y rounded-md"
      >
        <svg aria-hidden="true" height={HEIGHT} className="block w-full overflow-visible">
          {GRID.map((part) => (
            <line
              key={part}
              x1="0"
              x2="100%"
              y1={y(part * top)}
              y2={y(part * top)}
              className="stroke-border"
            />
          ))}
          {chosen !== undefined && (
            <rect x={`${chosen * width}%`} width={`${width}%`} y="0" height={BASE} className="fill-hover" />
          )}
          {days.map((name, index) => {
            let below = 0;
            return series.map(({ group, color, label }) => {
              const value = amountOf(group, name);
              const from = below;
              below += value;
              if (value === 0) return null;
              return (
                <rect
                  key={`${name} ${label}`}
                  x={`${index * width + width * 0.14}%`}
                  width={`${width * 0.72}%`}
                  y={y(below)}
                  height={Math.max(1, y(from) - y(below))}
                  style={{ fill: color }}
                />
              );
            });
          })}
          {days.map(
            (name, index) =>
              (days.length - 1 - index) % step === 0 && (
                <text
                  key={name}
                  x={`${(index + 0.5) * width}%`}
                  y={HEIGHT - 6}
                  textAnchor={labelAnchor(index, days.length)}
                  className="fill-muted-foreground text-[0.625rem]"
                >
                  {formatDay(name)}
                </text>
              ),
          )}
        </svg>
      </div>
      <figcaption className="mt-2 ml-13 flex min-h-5 flex-wrap items-center gap-x-4 gap-y-1 text-2xs text-muted-foreground">
        {day !== undefined && (
          <span className="font-medium text-foreground">
            {formatDay(day)}: {format(sumOf(day))}
          </span>
        )}
        {series
          .filter(({ group }) => day === undefined || amountOf(group, day) > 0)
          .map(({ group, label, color }) => (
            <span key={label} className="flex min-w-0 max-w-64 items-center gap-1.5">
              <span
                aria-hidden="true"
                className="size-2 shrink-0 rounded-[2px]"
                style={{ background: color }}
              />
              <span className="truncate">{label}</span>
              {day !== undefined && <span className="tabular-nums">{format(amountOf(group, day))}</span>}
            </span>
          ))}
      </figcaption>
    </figure>
  );
}

/** So that the first and the last stay inside. */
function labelAnchor(index: number, count: number): "start" | "middle" | "end" {
  if (count < 12) return "middle";
  return index < count * 0.04 ? "start" : index > count * 0.96 - 1 ? "end" : "middle";
}

function formatDay(day: string): string {
  return new Date(day).toLocaleDateString(undefined, { month: "short", day: "numeric", timeZone: "UTC" });
}
