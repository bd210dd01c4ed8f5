/** What this shell has and the running daemon has not, which was started elsewhere or earlier. */
import type { BackendAdapter } from "../core/adapter.ts";
import { searchPath } from "../core/search-path.ts";
import { findOnPath } from "../install/find-on-path.ts";
import { keyNames } from "../process/child-environment.ts";
import type { Agent } from "../sdk/types.ts";
import type { DaemonInfo } from "../store/sqlite/data-directory-lock.ts";

/** What signs an agent in, or leads to its service. Other variables only change how it works. */
const NEEDED = /(KEY|TOKEN|SECRET|CREDENTIALS|URL|HOST)$/;

/** What an agent lacks there. */
export interface Lack {
  /** The program, which is on the PATH here. */
  readonly program: string | undefined;
  /** Names of variables, which are set here. */
  readonly variables: readonly string[];
}

/** What the daemon says of an agent; asked only where that makes a difference, since finding it out may take seconds. */
export type StatusOf = (agent: string) => Agent["status"] | Promise<Agent["status"]>;

/** By name, of those agents that may be unusable in the daemon and are installed there or here. */
export async function lacksOf(
  names: readonly string[],
  statusOf: StatusOf,
  { adapters, daemon, environment }: Surroundings,
): Promise<Map<string, Lack>> {
  const lacks = new Map<string, Lack>();
  for (const name of names) {
    const adapter = adapters.get(name);
    if (!adapter) continue;
    const program = await hiddenProgram(adapter, daemon, environment);
    const variables = missingVariables(adapter, daemon, environment);
    if (program === undefined && variables.length === 0) continue;
    const status = await statusOf(name);
    if (status?.signedIn === true && status.remedy === undefined) continue;
    if (status?.missing && program !== undefined) lacks.set(name, { program, variables });
    // Who has no program needs no key.
    else if (!status?.missing && variables.length > 0) lacks.set(name, { program: undefined, variables });
  }
  return lacks;
}

interface Surroundings {
  readonly adapters: ReadonlyMap<string, BackendAdapter>;
  readonly daemon: DaemonInfo;
  /** Of this shell. */
  readonly environment: NodeJS.ProcessEnv;
}

/** A daemon of an earlier version does not say what it has: then nothing is missing. */
function missingVariables(
  { environmentKeys }: BackendAdapter,
  { variables }: DaemonInfo,
  environment: NodeJS.ProcessEnv,
): string[] {
  if (variables === undefined) return [];
  const has = new Set(variables);
  return keyNames(environment, environmentKeys).filter((name) => NEEDED.test(name) && !has.has(name));
}

/** The program's file, where only this shell finds it. */
async function hiddenProgram(
  { program }: BackendAdapter,
  daemon: DaemonInfo,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (!program || daemon.searchPath === undefined) return undefined;
  const file = await findOnPath(program.executable, searchPath(environment));
  return (await findOnPath(program.executable, daemon.searchPath)) === undefined ? file : undefined;
}

/** A sentence with the remedy. */
export function describeLacks({ pid }: DaemonInfo, lacks: readonly Lack[]): string {
  const variables = new Set(lacks.flatMap((lack) => lack.variables));
  const programs = new Set(lacks.flatMap(({ program }) => program ?? []));
  const ways = [
    ...(variables.size > 0 ? [`without ${[...variables].join(", ")}`] : []),
    ...(programs.size > 0 ? [`with a PATH that does not lead to ${[...programs].join(", ")}`] : []),
  ];
  const remedy = "End it with `interlingua stop`, then start it again from here.";
  return `The running daemon (pid ${pid}) was started ${ways.join(" and ")}, unlike this shell. ${remedy}`;
}
