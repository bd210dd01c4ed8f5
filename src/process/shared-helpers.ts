/**
 * Helpers that an agent's program starts once and shares between sessions, such as cline's hub, which also runs their
 * commands. A helper carries the marker of the agent that happened to start it, and lives until the last agent with
 * that program ends. It is recognised by having left its agent's group, running the program of a living agent, and not
 * being in the group of another program, such as a shell.
 */
import { endProcesses } from "./end-processes.ts";
import { ownerOf } from "./owner-marker.ts";
import { entriesOf, withDescendants } from "./process-family.ts";
import { type ProcessEntry, type ProcessIdentity, processTable } from "./process-table.ts";

/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 500;

export interface RetainedHelpers {
  /** Other agents may use these. They and all they started are to go on. */
  readonly helpers: readonly ProcessEntry[];
  /** Call it when the rest of the family is gone, or could not be ended. */
  finish(): Promise<void>;
}

export class SharedHelpers {
  /** Agents that run, by their marker. */
  readonly #agents = new Map<string, ProcessIdentity>();
  /** Markers of agents that are gone and whose helpers may still be in use. */
  readonly #left = new Set<string>();
  /**
   * The programs agents turned out to run, by the program that was started: an agent that is starting may not have got
   * that far.
   */
  readonly #launched = new Map<string, Set<string>>();
  /** Helpers are being ended. */
  readonly #endings = new Set<Promise<void>>();

  /** Resolves when no helper is being ended: an agent started earlier might rely on one that is about to end. */
  async settled(): Promise<void> {
    while (this.#endings.size > 0) await Promise.allSettled(this.#endings);
  }

  add(marker: string, agent: ProcessIdentity): void {
    this.#agents.set(marker, agent);
  }

  remove(marker: string): void {
    this.#agents.delete(marker);
  }

  /** Decides for an agent that is to be ended. `outside` is what left its group. */
  retain(
    marker: string,
    leader: ProcessIdentity,
    outside: readonly ProcessEntry[],
    entries: readonly ProcessEntry[],
  ): RetainedHelpers {
    this.#agents.delete(marker);
    const own = this.#helpersOf([leader], outside, entries);
    const helpers = this.#helpersOf([...this.#agents.values()], outside, entries);
    if (helpers.length > 0) this.#left.add(marker);
    const ending = Promise.withResolvers<void>();
    if (helpers.length === 0 && own.length > 0) this.#endings.add(ending.promise);
    return {
      helpers,
      finish: async () => {
        this.#endings.delete(ending.promise);
        ending.resolve();
        await this.endUnused();
      },
    };
  }

  /** Markers of ended agents whose helpers others may use. */
  retainLeftovers(leftovers: readonly ProcessEntry[], entries: readonly ProcessEntry[]): ReadonlySet<string> {
    const isLeft = ({ marker }: ProcessEntry) => marker !== undefined && !this.#agents.has(marker);
    const helpers = this.#helpersOf([...this.#agents.values()], leftovers.filter(isLeft), entries);
    const markers = new Set(helpers.map(({ marker }) => marker!));
    for (const marker of markers) this.#left.add(marker);
    return markers;
  }

  /** A session's agents, what runs their program, and helpers that other agents may use. */
  sort(
    owner: string,
    processes: readonly ProcessEntry[],
    entries: readonly ProcessEntry[],
  ): { own: ProcessEntry[]; shared: ProcessEntry[] } {
    const isOurs = ([marker]: [string, ProcessIdentity]) => ownerOf(marker) === owner;
    const [ours = [], others = []] = [true, false].map((wanted) =>
      [...this.#agents].filter((agent) => isOurs(agent) === wanted).map(([, leader]) => leader),
    );
    const groups = new Set(ours.map(({ pid }) => pid));
    const outside = processes.filter(({ group }) => !groups.has(group));
    return {
      own: [...entriesOf(processes, ours), ...this.#helpersOf(ours, processes, entries)],
      shared: this.#helpersOf(others, outside, entries),
    };
  }

  /** Ends the helpers that no agent uses any more. */
  async endUnused(): Promise<void> {
    if (this.#left.size === 0) return;
    const ending = this.#endUnused();
    this.#endings.add(ending);
    await ending.finally(() => this.#endings.delete(ending));
  }

  async #endUnused(): Promise<void> {
    const entries = await processTable.list();
    const left = entries.filter(({ marker }) => marker !== undefined && this.#left.has(marker));
    const used = this.retainLeftovers(left, entries);
    const unused = new Set([...this.#left].filter((marker) => !used.has(marker)));
    for (const marker of unused) this.#left.delete(marker);
    await endProcesses({
      select: (entries, known) => {
        const marked = entries.filter(({ marker }) => marker !== undefined && unused.has(marker));
        return withDescendants(entries, [...marked, ...entriesOf(entries, known)]).filter(
          ({ zombie }) => !zombie,
        );
      },
      graceMs: GRACE_MS,
    });
  }

  /** Those of the processes that run the program of one of these agents. */
  #helpersOf(
    agents: readonly ProcessIdentity[],
    processes: readonly ProcessEntry[],
    entries: readonly ProcessEntry[],
  ): ProcessEntry[] {
    if (processes.length === 0) return [];
    const programs = new Set(agents.flatMap((agent) => this.#programsOf(agent, entries)));
    const isOne = (pid: number) => programs.has(processTable.program(pid)?.name ?? "");
    const pids = new Set(entries.flatMap(({ pid, zombie }) => (zombie ? [] : [pid])));
    // What a shell runs in its group is a command, whichever program it is.
    return processes.filter(
      ({ pid, group, zombie }) => !zombie && isOne(pid) && (!pids.has(group) || isOne(group)),
    );
  }

  /** What an agent runs: its leader and, where that is a launcher, what is started with the same arguments. */
  #programsOf({ pid: leader }: ProcessIdentity, entries: readonly ProcessEntry[]): string[] {
    const program = processTable.program(leader);
    if (program === undefined) return [];
    const names = this.#launched.get(program.name) ?? new Set([program.name]);
    this.#launched.set(program.name, names);
    for (const { pid, group } of entries) {
      if (group !== leader || program.args.length === 0) continue;
      const launched = processTable.program(pid);
      if (launched?.args.join("\0") === program.args.join("\0")) names.add(launched.name);
    }
    return [...names];
  }
}
