/** The process host for agents on this machine. It owns the reaper and marks every process with the daemon's id. */
import { InterlinguaError } from "../core/error.ts";
import { childEnvironment } from "./child-environment.ts";
import { endMarkedProcesses } from "./end-marked-processes.ts";
import { nodeDirectory } from "./node-directory.ts";
import { belongsToDaemon, OWNER_VARIABLE, ownerMarker, ownerOf, ownerPattern } from "./owner-marker.ts";
import { ProcessFreezer } from "./process-freezer.ts";
import type { AgentProcess, ProcessHost } from "./process-host.ts";
import { ownIdentity, type ProcessIdentity, processTable } from "./process-table.ts";
import { startReaper } from "./reaper.ts";
import { findRunningCommands } from "./running-commands.ts";
import { SharedHelpers } from "./shared-helpers.ts";
import { spawnAgent } from "./spawn-agent.ts";

export interface LocalProcessHostOptions {
  readonly daemonId: string;
  /** The daemon's own environment; agents get the allow-listed part of it. */
  readonly environment: NodeJS.ProcessEnv;
  /** Names or `PREFIX_*` patterns the config passes on to every agent. */
  readonly pass?: readonly string[];
}

/** What ends processes that are no agents, such as git, when the daemon is gone. */
export interface DaemonChildren {
  /** End this process group. */
  watch(group: number): void;
  /** The group has ended. */
  forget(group: number): void;
  /** Marks a process as one of this daemon. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface LocalProcessHost extends ProcessHost {
  readonly children: DaemonChildren;
}

/**
 * @example
 * const host = createProcessHost({ daemonId, environment: process.env });
 * const agent = await host.spawn({ command: "claude", args: [], cwd, sessionId, keys: ["ANTHROPIC_*"] });
 */
export function createProcessHost(options: LocalProcessHostOptions): LocalProcessHost {
  const { daemonId } = options;
  const daemon = ownIdentity();
  const ageOf = processTable.startAges();
  const helpers = new SharedHelpers();
  const freezer = new ProcessFreezer(daemonId);
  const reaper = startReaper({ ownerPattern: ownerPattern(daemonId, daemon) });
  /** By their owners. */
  const agents = new Map<AgentProcess, string>();
  const ownNode = nodeDirectory();
  let spawns = 0;
  let closing: Promise<void> | undefined;

  const ownerOfSession = (sessionId: string) => `${daemonId}/${sessionId}`;

  const refuseWhenClosed = () => {
    if (closing)
      throw new InterlinguaError("shutting_down", "The daemon is shutting down and starts no more agents.");
  };

  const endAll = async () => {
    await Promise.all([...agents.keys()].map((agent) => agent.end()));
    await endMarkedProcesses({ owner: (owner) => belongsToDaemon(owner, daemonId) });
  };

  const close = async () => {
    try {
      await endAll();
    } finally {
      await reaper.stop();
    }
  };

  return {
    children: {
      watch: (group) => reaper.watch(group),
      forget: (group) => reaper.forget(group),
      environment: { [OWNER_VARIABLE]: ownerMarker(daemonId, daemon, 0) },
    },
    async spawn({ sessionId, isCommand, keys, environment, ...program }) {
      await helpers.settled();
      refuseWhenClosed();
      spawns += 1;
      const owner = sessionId === undefined ? daemonId : ownerOfSession(sessionId);
      const agent = await spawnAgent({
        ...program,
        environment: childEnvironment({
          parent: options.environment,
          keys: keys ?? [],
          pass: options.pass ?? [],
          extra: environment ?? {},
          nodeDirectory: ownNode,
          owner: ownerMarker(owner, daemon, spawns),
        }),
        reaper,
        helpers: isCommand ? undefined : helpers,
      });
      agents.set(agent, owner);
      freezer.add(agent.pid);
      agent.exited.then(() => {
        agents.delete(agent);
        freezer.delete(agent.pid);
      });
      // The host may have been closed meanwhile, too early for the new agent to be among those it ended.
      if (closing) await agent.end();
      refuseWhenClosed();
      return agent;
    },
    async endSession(sessionId) {
      const owner = ownerOfSession(sessionId);
      const entries = await processTable.list();
      const leftovers = entries.filter(({ marker }) => marker !== undefined && ownerOf(marker) === owner);
      const except = helpers.retainLeftovers(leftovers, entries);
      await endMarkedProcesses({ owner: (candidate) => candidate === owner, except });
      await helpers.endUnused();
    },
    runningCommands(sessionId, startedWithinMs) {
      const isYoung = (process: ProcessIdentity) => ageOf(process) <= startedWithinMs;
      const owner = ownerOfSession(sessionId);
      const started = [...agents].flatMap(([agent, its]) => (its === owner ? [agent] : []));
      return findRunningCommands({ owner, started, helpers, isYoung });
    },
    sweep: endMarkedProcesses,
    freeze: () => freezer.freeze(),
    freezeIn: (milliseconds) => reaper.freezeIn(milliseconds),
    thaw: () => freezer.thaw(),
    endAll,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
