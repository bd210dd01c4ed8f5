/** Counters and gauges in the Prometheus text format. */
import type { Engine, EngineStats } from "../../engine/engine.ts";
import type { Notifier } from "../notify/notifier.ts";
import type { FanOut } from "../streams/fan-out.ts";

/** One metric besides those of the server: its value, or one for each set of labels. */
export interface MetricSample {
  /** Without the prefix that all have. */
  name: string;
  type: "counter" | "gauge";
  help: string;
  value: number | ReadonlyMap<Readonly<Record<string, string>>, number>;
}

/** Asked each time the metrics are read. */
export type MetricSource = () => readonly MetricSample[];

export class Metrics {
  readonly #engine: Pick<Engine, "stats" | "health">;
  readonly #fanOuts: FanOut[];
  /** Requests answered, by their labels. */
  readonly #answered = new Map<string, number>();
  readonly #refused = new Map<string, number>();

  readonly #notifier: Pick<Notifier, "counts" | "waiting"> | undefined;
  readonly #sources: readonly MetricSource[];

  constructor(
    engine: Pick<Engine, "stats" | "health">,
    fanOut: FanOut,
    notifier?: Pick<Notifier, "counts" | "waiting">,
    sources: readonly MetricSource[] = [],
  ) {
    this.#sources = sources;
    this.#engine = engine;
    this.#notifier = notifier;
    this.#fanOuts = [fanOut];
  }

  /** Counts the streams of another port, too. */
  watch(fanOut: FanOut): void {
    this.#fanOuts.push(fanOut);
  }

  /** `route` is the path of the table, so that the number of series stays small; undefined when none matched. */
  answered(method: string, route: string | undefined, status: number): void {
    const labels = `method="${METHODS.has(method) ? method : "other"}",route="${route ?? "none"}",status="${status}"`;
    this.#answered.set(labels, (this.#answered.get(labels) ?? 0) + 1);
  }

  refused(code: string): void {
    const labels = `code="${code}"`;
    this.#refused.set(labels, (this.#refused.get(labels) ?? 0) + 1);
  }

  text(): string {
    const stats = this.#engine.stats();
    const streams = (read: (fanOut: FanOut) => number) =>
      this.#fanOuts.reduce((sum, fanOut) => sum + read(fanOut), 0);
    return [
      metric("http_requests_total", "counter", "Requests answered", this.#answered),
      metric(
        "http_refused_total",
        "counter",
        "Requests refused for their token or their rate",
        this.#refused,
      ),
      metric(
        "streams_open",
        "gauge",
        "Event streams and sockets open now",
        streams((fanOut) => fanOut.openStreams),
      ),
      metric(
        "streams_opened_total",
        "counter",
        "Event streams and sockets ever opened",
        streams(({ counters }) => counters.opened),
      ),
      metric(
        "sockets_open",
        "gauge",
        "WebSockets open now, which are streams, too",
        streams((fanOut) => fanOut.openSockets),
      ),
      metric(
        "sockets_opened_total",
        "counter",
        "WebSockets ever opened",
        streams(({ counters }) => counters.socketsOpened),
      ),
      metric(
        "sockets_lost_total",
        "counter",
        "WebSockets whose other side had gone without a word",
        streams(({ counters }) => counters.socketsLost),
      ),
      metric(
        "socket_messages_total",
        "counter",
        "Messages that came through WebSockets",
        streams(({ counters }) => counters.socketMessages),
      ),
      metric(
        "stream_sessions",
        "gauge",
        "Sessions that streams follow",
        streams((fanOut) => fanOut.followedSessions),
      ),
      metric(
        "stream_bytes_total",
        "counter",
        "Bytes handed to the sockets of streams",
        streams(({ counters }) => counters.bytes),
      ),
      metric(
        "stream_queued_bytes",
        "gauge",
        "Bytes that wait in sockets of streams",
        streams((fanOut) => fanOut.queuedBytes),
      ),
      metric(
        "stream_queued_bytes_peak",
        "gauge",
        "Most bytes that waited in one socket",
        Math.max(...this.#fanOuts.map(({ counters }) => counters.peakQueuedBytes)),
      ),
      metric(
        "stream_behind_total",
        "counter",
        "Times a reader fell behind",
        streams(({ counters }) => counters.fellBehind),
      ),
      metric(
        "stream_pages_total",
        "counter",
        "Pages read for readers that were behind",
        streams(({ counters }) => counters.pagesRead),
      ),
      metric("healthy", "gauge", "1 while the log can be written", this.#engine.health().ok ? 1 : 0),
      metric("sessions_live", "gauge", "Sessions in memory", stats.liveSessions),
      metric("agents_attached", "gauge", "Agents that run", stats.attachedAgents),
      metric(
        "agents_live",
        "gauge",
        "Agents that run, by agent",
        new Map(Object.entries(stats.liveAgents).map(([agent, count]) => [labelsOf({ agent }), count])),
      ),
      metric("commit_pending_bytes", "gauge", "Bytes that wait for a commit", stats.pendingBytes),
      metric("events_total", "counter", "Events committed", stats.committedEvents),
      metric("commits_total", "counter", "Commits", stats.commits),
      histogram(
        "commit_seconds",
        "How long commits took, with what failed before they succeeded",
        stats.commitTimes,
      ),
      metric(
        "commit_saturation",
        "gauge",
        "Share of the last ten seconds in which a commit was under way, 0 to 1",
        stats.commitSaturation,
      ),
      metric(
        "commits_failed_total",
        "counter",
        "Commits that failed and were tried again",
        stats.failedCommits,
      ),
      metric(
        "appends_refused_total",
        "counter",
        "Appends refused because another node has the session",
        stats.refusedAppends,
      ),
      metric(
        "agent_unknown_total",
        "counter",
        "Messages of agents that were not understood",
        stats.unknownNative,
      ),
      metric(
        "agent_unread_total",
        "counter",
        "Messages and fields of agents that nobody has a use for",
        new Map(stats.unread.map(({ agent, native, count }) => [labelsOf({ agent, native }), count])),
      ),
      metric(
        "turns_total",
        "counter",
        "Turns ended, by agent and outcome",
        new Map(stats.turns.map(({ agent, outcome, count }) => [labelsOf({ agent, outcome }), count])),
      ),
      ...this.#notifications(),
      ...this.#sources.flatMap((source) => source().map(sampleText)),
      ...residentBytes().map((bytes) =>
        metric("process_resident_bytes", "gauge", "Memory of the daemon", bytes),
      ),
      metric("process_cpu_seconds_total", "counter", "Processor time of the daemon", cpuSeconds()),
    ].join("");
  }

  #notifications(): string[] {
    if (!this.#notifier) return [];
    const { counts, waiting } = this.#notifier;
    const outcomes = Object.entries(counts).map(
      ([outcome, count]) => [labelsOf({ outcome }), count] as const,
    );
    return [
      metric("notifications_total", "counter", "Notifications, by what became of them", new Map(outcomes)),
      metric("notifications_waiting", "gauge", "Notifications that wait to be sent", waiting),
    ];
  }
}

const METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"]);

function sampleText({ name, type, help, value }: MetricSample): string {
  if (typeof value === "number") return metric(name, type, help, value);
  return metric(name, type, help, new Map([...value].map(([labels, count]) => [labelsOf(labels), count])));
}

function metric(
  name: string,
  type: string,
  help: string,
  value: number | ReadonlyMap<string, number>,
): string {
  const whole = `interlingua_${name}`;
  const head = `# HELP ${whole} ${help}.\n# TYPE ${whole} ${type}\n`;
  if (typeof value === "number") return `${head}${whole} ${value}\n`;
  return head + [...value].map(([labels, count]) => `${whole}{${labels}} ${count}\n`).join("");
}

function histogram(name: string, help: string, { buckets, count, sum }: EngineStats["commitTimes"]): string {
  const whole = `interlingua_${name}`;
  const bounds = [...buckets, ["+Inf", count] as const];
  const lines = bounds.map(([bound, upTo]) => `${whole}_bucket{le="${bound}"} ${upTo}\n`).join("");
  return `# HELP ${whole} ${help}.\n# TYPE ${whole} histogram\n${lines}${whole}_sum ${sum}\n${whole}_count ${count}\n`;
}

/** Names that came from an agent may hold anything. */
function labelsOf(labels: Readonly<Record<string, string>>): string {
  const escaped = (value: string) => value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
}

/** Left out if unknown: it is read from a file, and there may be no descriptor left to open one. */
function residentBytes(): number[] {
  try {
    return [process.memoryUsage.rss()];
  } catch {
    return [];
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
