/** The charts of docs/performance.md, drawn from the curves of a run. */
import type { Figure } from "../harness/benchmark.ts";
import type { Run } from "../harness/results.ts";
import type { Chart, Line } from "./line-chart.ts";

const OURS = "#2f81f7";
const PEER = "#d9822b";
const CEILING = "#8b949e";
const PALETTE = [OURS, PEER, "#a371f7", "#2da44e", "#e5534b", "#8b949e"];

interface ChartOfCurves extends Omit<Chart, "lines"> {
  /** docs/images/performance-FILE.svg */
  readonly file: string;
  readonly benchmark: string;
  /** One curve: ours beside the others. Several: ours of each. */
  readonly curves: readonly string[];
}

export const CHARTS: readonly ChartOfCurves[] = [
  {
    file: "burst",
    title: "As fast as the agents can",
    benchmark: "peer-burst",
    curves: ["rate"],
    xLabel: "sessions",
    yLabel: "events per second",
  },
  {
    file: "paced",
    title: "A steady stream: agent to client, p99",
    benchmark: "peer-paced",
    curves: ["agent to client, p99"],
    xLabel: "events per second",
    yLabel: "milliseconds",
  },
  {
    file: "fan-out",
    title: "Many readers of one session",
    benchmark: "peer-fan-out",
    curves: ["deliveries"],
    xLabel: "readers",
    yLabel: "deliveries per second",
  },
  {
    file: "fan-out-cpu",
    title: "What a delivery costs",
    benchmark: "peer-fan-out",
    curves: ["CPU per delivery"],
    xLabel: "readers",
    yLabel: "µs of processor time",
  },
  {
    file: "history",
    title: "A session with a past",
    benchmark: "history",
    curves: ["the session, again", "first page", "page in the middle", "last page", "a short turn"],
    xLabel: "events in the session",
    yLabel: "milliseconds",
  },
  {
    file: "history-cpu",
    title: "What one more event costs",
    benchmark: "history",
    curves: ["CPU per further event"],
    xLabel: "events in the session",
    yLabel: "µs of processor time",
  },
  {
    file: "sessions",
    title: "One session among many",
    benchmark: "sessions",
    curves: ["prompt to first event"],
    xLabel: "open sessions",
    yLabel: "milliseconds from prompt to first event",
  },
  {
    file: "sessions-memory",
    title: "Memory of the daemon",
    benchmark: "sessions",
    curves: ["memory"],
    xLabel: "open sessions",
    yLabel: "MB",
  },
];

/** Undefined where the run has nothing to draw. */
export function toChart(run: Run, { benchmark, curves, ...rest }: ChartOfCurves): Chart | undefined {
  const figures = run.results.find((result) => result.benchmark === benchmark)?.figures ?? [];
  const [only] = curves;
  const lines =
    curves.length === 1
      ? contestants(onCurve(figures, only!))
      : curves.map((name, index) => ({
          name,
          colour: PALETTE[index % PALETTE.length]!,
          points: toPoints(onCurve(figures, name), ({ value }) => value),
        }));
  const drawn = lines.filter(({ points }) => points.length > 0);
  return drawn.length === 0 ? undefined : { ...rest, lines: drawn };
}

function contestants(figures: readonly Figure[]): Line[] {
  return [
    { name: "ours", colour: OURS, points: toPoints(figures, ({ value }) => value) },
    {
      name: figures.find(({ baseline }) => baseline)?.baseline?.name ?? "peer",
      colour: PEER,
      points: toPoints(figures, ({ baseline }) => baseline?.value),
    },
    {
      name: "without a log",
      colour: CEILING,
      isDashed: true,
      points: toPoints(figures, ({ ceiling }) => ceiling?.value),
    },
  ];
}

function onCurve(figures: readonly Figure[], curve: string): Figure[] {
  return figures.filter(({ point }) => point?.curve === curve);
}

function toPoints(figures: readonly Figure[], pick: (figure: Figure) => number | undefined): Line["points"] {
  return figures.flatMap((figure) => {
    const y = pick(figure);
    return figure.point && y !== undefined ? [{ x: figure.point.x, y }] : [];
  });
}
