/**
 * The field: our daemon, the peer where it is installed, and where it makes sense a bare gateway as the ceiling. Or our
 * daemon and that of another checkout. Everybody has a turn in every round, in turns the first and the last.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { temporaryDirectory } from "../../test/crash/daemon-process.ts";
import type { Figure, Reference } from "../harness/benchmark.ts";
import { quantile } from "../harness/quantile.ts";
import { BareGateway } from "./bare-gateway.ts";
import type { Gateway } from "./gateway.ts";
import { InterlinguaGateway } from "./interlingua-gateway.ts";
import { PEER_DIRECTORY, PEER_NAME, peerProgram } from "./peer.ts";
import { SandboxAgentGateway } from "./sandbox-agent-gateway.ts";

/** What one contestant's turn gives: figures by their names. */
export type Turn = Readonly<Record<string, number>>;

export interface Comparison {
  readonly rounds: number;
  /** The figures, and what each is counted in. */
  readonly units: Readonly<Record<string, string>>;
  /** Stands before the names of the figures. */
  readonly label?: string;
  /** Where the figures lie on the curves of their names. */
  readonly x?: number;
  /** With the bare gateway too. */
  readonly ceiling?: boolean;
  /** The checkout to compare with, in the place of the peer. */
  readonly against?: string;
}

interface Contestant {
  readonly name: string;
  readonly role: "ours" | "peer" | "ceiling";
  start(directory: string): Promise<Gateway>;
}

type Played = Pick<Contestant, "name" | "role"> & { readonly turns: Turn[] };

function contestants({ ceiling, against }: Comparison): Contestant[] {
  const field: Contestant[] = [
    { name: "ours", role: "ours", start: (directory) => InterlinguaGateway.start(directory) },
  ];
  if (against !== undefined) {
    const start = (directory: string) => InterlinguaGateway.start(directory, against);
    return [...field, { name: against, role: "peer", start }];
  }
  const program = peerProgram();
  if (existsSync(program)) {
    const start = (directory: string) => SandboxAgentGateway.start(program, directory);
    field.push({ name: PEER_NAME, role: "peer", start });
  }
  if (ceiling) field.push({ name: "bare gateway without a log", role: "ceiling", start: BareGateway.start });
  return field;
}

/** Plays `turn` against running gateways, alternately; gives the medians side by side. */
export async function compare(
  comparison: Comparison,
  turn: (gateway: Gateway) => Promise<Turn>,
): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const running: (Played & { gateway: Gateway })[] = [];
  for (const { name, role, start } of contestants(comparison)) {
    const { path } = opened.use(await temporaryDirectory());
    running.push({ name, role, gateway: opened.use(await start(path)), turns: [] });
  }
  for (let round = 0; round < comparison.rounds; round += 1) {
    for (const { gateway, turns } of inTurn(running, round)) turns.push(await turn(gateway));
  }
  return toFigures(comparison, running);
}

/** For benchmarks that measure the start itself. */
export async function compareStarts(
  comparison: Comparison,
  turn: (start: () => Promise<Gateway>) => Promise<Turn>,
): Promise<Figure[]> {
  const field = contestants(comparison).map((contestant) => ({ ...contestant, turns: [] as Turn[] }));
  for (let round = 0; round < comparison.rounds; round += 1) {
    for (const { start, turns } of inTurn(field, round)) {
      await using directory = await temporaryDirectory();
      turns.push(await turn(() => start(directory.path)));
    }
  }
  return toFigures(comparison, field);
}

/** Whoever is second has the first one's pages still to be written: that changes from round to round. */
function inTurn<Each>(field: readonly Each[], round: number): readonly Each[] {
  return round % 2 === 0 ? field : field.toReversed();
}

function toFigures({ units, label, x }: Comparison, field: readonly Played[]): Figure[] {
  return Object.entries(units).map(([name, unit]) => ({
    name: label === undefined ? name : `${label}: ${name}`,
    unit,
    value: medianOf(field, "ours", name)?.value ?? Number.NaN,
    baseline: withRatio(field, name),
    ceiling: medianOf(field, "ceiling", name),
    ...(x !== undefined && { point: { curve: name, x } }),
  }));
}

/** Undefined where that one did not play, or cannot do this. */
function medianOf(field: readonly Played[], role: Played["role"], figure: string): Reference | undefined {
  const played = field.find((contestant) => contestant.role === role);
  const values = played?.turns.flatMap((turn) => turn[figure] ?? []) ?? [];
  return played && values.length > 0 ? { name: played.name, value: quantile(values, 0.5) } : undefined;
}

/** Rounds are compared with each other and then their ratios: what else the machine does changes from round to round. */
function withRatio(field: readonly Played[], figure: string): Reference | undefined {
  const peer = medianOf(field, "peer", figure);
  const [ours = [], theirs = []] = (["ours", "peer"] as const).map(
    (role) => field.find((contestant) => contestant.role === role)?.turns,
  );
  const ratios = ours.map((turn, round) => (turn[figure] ?? Number.NaN) / (theirs[round]?.[figure] ?? 0));
  if (!peer || !ratios.every(Number.isFinite)) return peer;
  const [from = 0, median = 0, to = 0] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part));
  return { ...peer, ratio: { median, from, to } };
}

/** Said once at the top of a run. */
export function fieldNote(): string | undefined {
  if (existsSync(peerProgram())) return undefined;
  const where = resolve(PEER_DIRECTORY);
  return `${PEER_NAME} is not installed, so ours runs alone. \`npm run bench:peer\` installs it into ${where}.`;
}
