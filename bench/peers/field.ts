/** The field: our daemon, and the peer where it is installed. Everybody has a turn in every round. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { temporaryDirectory } from "../../test/crash/daemon-process.ts";
import type { Figure, Scale } from "../harness/benchmark.ts";
import { quantile } from "../harness/quantile.ts";
import type { Gateway } from "./gateway.ts";
import { InterlinguaGateway } from "./interlingua-gateway.ts";
import { PEER_DIRECTORY, PEER_NAME, peerProgram } from "./peer.ts";
import { SandboxAgentGateway } from "./sandbox-agent-gateway.ts";

/** What one contestant's turn gives: figures by their names. */
export type Turn = Readonly<Record<string, number>>;

interface Contestant {
  readonly name: string;
  start(directory: string): Promise<Gateway>;
}

const OURS: Contestant = { name: "ours", start: (directory) => InterlinguaGateway.start(directory) };

function contestants(): Contestant[] {
  const program = peerProgram();
  if (!existsSync(program)) return [OURS];
  return [OURS, { name: PEER_NAME, start: (directory) => SandboxAgentGateway.start(program, directory) }];
}

/** Plays `turn` against running gateways, alternately; gives the medians side by side. */
export async function compare(
  scale: Scale,
  units: Readonly<Record<string, string>>,
  turn: (gateway: Gateway) => Promise<Turn>,
): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const running: { name: string; gateway: Gateway; turns: Turn[] }[] = [];
  for (const { name, start } of contestants()) {
    const { path } = opened.use(await temporaryDirectory());
    running.push({ name, gateway: opened.use(await start(path)), turns: [] });
  }
  for (let round = 0; round < scale.rounds; round += 1) {
    for (const { gateway, turns } of running) turns.push(await turn(gateway));
  }
  return toFigures(units, running);
}

/** The same where the start itself is measured. */
export async function compareStarts(
  scale: Scale,
  units: Readonly<Record<string, string>>,
  turn: (start: () => Promise<Gateway>) => Promise<Turn>,
): Promise<Figure[]> {
  const field = contestants().map((contestant) => ({ ...contestant, turns: [] as Turn[] }));
  for (let round = 0; round < scale.rounds; round += 1) {
    for (const { start, turns } of field) {
      await using directory = await temporaryDirectory();
      turns.push(await turn(() => start(directory.path)));
    }
  }
  return toFigures(units, field);
}

function toFigures(
  units: Readonly<Record<string, string>>,
  [ours, peer]: readonly { name: string; turns: readonly Turn[] }[],
): Figure[] {
  const median = (turns: readonly Turn[], figure: string) =>
    quantile(
      turns.map((turn) => turn[figure] ?? Number.NaN),
      0.5,
    );
  return Object.entries(units).map(([name, unit]) => ({
    name,
    unit,
    value: median(ours?.turns ?? [], name),
    ...(peer && { baseline: { name: peer.name, value: median(peer.turns, name) } }),
  }));
}

/** Said once at the top of a run. */
export function fieldNote(): string | undefined {
  if (existsSync(peerProgram())) return undefined;
  const where = resolve(PEER_DIRECTORY);
  return `${PEER_NAME} is not installed, so ours runs alone. \`npm run bench:peer\` installs it into ${where}.`;
}
