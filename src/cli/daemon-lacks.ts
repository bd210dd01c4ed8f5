/** What this shell has and the running daemon has not, which was started elsewhere or earlier. */
import type { BackendAdapter } from "../core/adapter.ts";
import { findOnPath } from "../install/find-on-path.ts";
import { keyNames } from "../process/child-environment.ts";
import { searchPath } from "../process/search-path.ts";
import type { Agent } from "../sdk/types.ts";
import type { DaemonInfo } from "../store/sqlite/data-directory-lock.ts";

/** What signs an agent in, or leads to its service. Other variables only change how it works. */
const NEEDED = /(KEY|TOKEN|SECRET|CREDENTIALS|URL)$/;

/** What an agent lacks there. */
export interface Lack {
  /** The program, which is on the PATH here. */
  readonly program: string | undefined;
  /** Names of variables, which are set here. */
  readonly variables: readonly string[];
}

/**
 * By name, of those agents that may be unusable in the daemon and are installed there or here.
 *
 * @param seen What the daemon says of them.
 */
export async function lacksOf(
  seen: readonly Pick<Agent, "name" | "status">[],
  adapters: ReadonlyMap<string, BackendAdapter>,
  daemon: DaemonInfo,
  environment: NodeJS.ProcessEnv,
): Promise<Map<string, Lack>> {
  const lacks = new Map<string, Lack>();
  for (const { name, status } of seen) {
    const adapter = adapters.get(name);
    if (!adapter || (status?.signedIn === true && status.remedy === undefined)) continue;
    const program = status?.missing ? await hiddenProgram(adapter, daemon, environment) : undefined;
    // Who has no program needs no key.
    if (status?.missing && program === undefined) continue;
    const variables = missingVariables(adapter, daemon, environment);
    if (program !== undefined || variables.length > 0) lacks.set(name, { program, variables });
  }
  return lacks;
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
