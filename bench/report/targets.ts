/** What we want to reach against the peer and by ourselves, on one machine in one run, with every commit durable. */

export interface Target {
  readonly text: string;
  readonly benchmark: string;
  readonly figure: string;
  /** The figure itself, or its ratio to what it is compared with. */
  readonly of: "value" | "ratio";
  readonly atLeast?: number;
  readonly atMost?: number;
}

const NOTHING_LOST = { of: "value", atMost: 0 } as const;
const HALF = { of: "ratio", atMost: 0.5 } as const;

const BURSTS = ["1 session", "20 sessions"].flatMap((label): Target[] => [
  {
    text: `burst, ${label}: rate`,
    benchmark: "peer-burst",
    figure: `${label}: rate`,
    of: "ratio",
    atLeast: 2,
  },
  { text: `burst, ${label}: lost`, benchmark: "peer-burst", figure: `${label}: lost`, ...NOTHING_LOST },
  {
    text: `burst, ${label}: CPU per event`,
    benchmark: "peer-burst",
    figure: `${label}: CPU per event`,
    ...HALF,
  },
]);

const REAL_SESSIONS = ["claude", "codex", "opencode", "amp", "acp"].map(
  (agent): Target => ({
    text: `real sessions of ${agent}: events and raw records against the agent's own lines`,
    benchmark: "recordings",
    figure: `${agent}: events and raw records`,
    of: "ratio",
    atMost: 1,
  }),
);

export const TARGETS: readonly Target[] = [
  ...BURSTS,
  {
    text: "100 readers: deliveries",
    benchmark: "peer-fan-out",
    figure: "100 readers: deliveries",
    of: "ratio",
    atLeast: 4,
  },
  { text: "100 readers: lost", benchmark: "peer-fan-out", figure: "100 readers: lost", ...NOTHING_LOST },
  {
    text: "10,000 events a second, agent to client: p99",
    benchmark: "peer-paced",
    figure: "10k/s: agent to client, p99",
    ...HALF,
  },
  {
    text: "prompt to first event: p50",
    benchmark: "peer-latency",
    figure: "prompt to first event, p50",
    of: "ratio",
    atMost: 2,
  },
  {
    text: "permission round trip: p50",
    benchmark: "peer-latency",
    figure: "permission round trip, p50",
    of: "ratio",
    atMost: 1.5,
  },
  { text: "10,000 missed events: lost", benchmark: "peer-recovery", figure: "away: lost", ...NOTHING_LOST },
  { text: "stalled reader: lost", benchmark: "peer-recovery", figure: "stalled: lost", ...NOTHING_LOST },
  {
    text: "CPU of a start, nothing stored, against a bare server",
    benchmark: "start",
    figure: "CPU until then, nothing stored",
    of: "ratio",
    atMost: 4.5,
  },
  {
    text: "start to healthy, nothing stored",
    benchmark: "restart",
    figure: "start to healthy, nothing stored",
    of: "value",
    atMost: 400,
  },
  {
    text: "start to healthy, 10,000 sessions stored",
    benchmark: "restart",
    figure: "start to healthy, 10,000 sessions stored",
    of: "value",
    atMost: 1000,
  },
  { text: "idle memory", benchmark: "peer-start", figure: "idle memory", of: "value", atMost: 90 },
  {
    text: "memory for each further idle session",
    benchmark: "peer-start",
    figure: "memory for each further idle session",
    of: "value",
    atMost: 60,
  },
  ...REAL_SESSIONS,
  {
    text: "a prompt in a project of 200 files: more by its checkpoint",
    benchmark: "checkpoints",
    figure: "prompt to first event, more, 200 files in a repository, nothing changed",
    of: "value",
    atMost: 30,
  },
  ...["20,000", "100,000"].map(
    (files): Target => ({
      text: `checkpoint of ${files} files, nothing changed, against git status`,
      benchmark: "workspace",
      figure: `checkpoint, nothing changed, ${files} files`,
      of: "ratio",
      atMost: 2,
    }),
  ),
  ...["opening", "scrolling through all"].map(
    (what): Target => ({
      text: `the page, 5,000 messages: longest task while ${what}`,
      benchmark: "page",
      figure: `5,000 messages: longest task while ${what}`,
      of: "value",
      atMost: 200,
    }),
  ),
  {
    text: "the page, a key while an answer streams: p95",
    benchmark: "page",
    figure: "a key while an answer streams, p95",
    of: "value",
    atMost: 50,
  },
];
