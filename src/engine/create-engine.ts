/** Puts the engine together from its store and its agents. */
import { randomBytes, randomUUID } from "node:crypto";
import type { BackendAdapter } from "../core/adapter.ts";
import { InterlinguaError } from "../core/error.ts";
import type { GitFiles } from "../core/git-files.ts";
import type { OnLost } from "../core/on-lost.ts";
import type { Ownership } from "../core/ownership.ts";
import type { Programs } from "../core/program.ts";
import type { ProjectFiles } from "../core/project-files.ts";
import type { SharedDirectories } from "../core/shared-directories.ts";
import { soleOwnership } from "../core/sole-ownership.ts";
import type { Store } from "../core/store.ts";
import { TimeSlices } from "../core/time-slices.ts";
import type { Workspace } from "../core/workspace.ts";
import type { Worktrees } from "../core/worktree.ts";
import { AgentSlots } from "./agent/agent-slots.ts";
import { UnreadCounts } from "./agent/unread-counts.ts";
import { CommitListeners } from "./commits/commit-listeners.ts";
import { CommitPace } from "./commits/commit-pace.ts";
import { GroupCommit } from "./commits/group-commit.ts";
import type { Engine } from "./engine.ts";
import type { ConfiguredAgent, EngineLogger, Services } from "./engine-services.ts";
import { DirectoriesInRestore } from "./files/directories-in-restore.ts";
import { TurnsInDirectories } from "./files/turns-in-directories.ts";
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from "./limits.ts";
import { LocalEngine } from "./local-engine.ts";
import { RetryLine, type SetTimer } from "./prompts/prompt-preparation.ts";
import { TurnEndings } from "./session/turn-endings.ts";

export interface EngineOptions {
  store: Store;
  /** That of a daemon without others when absent. */
  ownership?: Ownership;
  agents: ReadonlyMap<string, BackendAdapter>;
  /** The id of the daemon, the same after a restart. */
  daemonId?: string;
  /** By the agent's name. */
  agentSettings?: Readonly<Record<string, ConfiguredAgent>>;
  /** Without it nothing can be installed. */
  programs?: Pick<Programs, "install">;
  /** Without it there are no checkpoints. */
  workspace?: Workspace;
  /** `off`: no new ones are taken; those that are there go with their sessions and with age. */
  checkpoints?: "on" | "off";
  /** The default of new sessions. `stop` when absent. */
  onLost?: OnLost;
  /** Of a node that shares directories with others. */
  directories?: SharedDirectories;
  /** Of a node with roots whose files travel by git. */
  gitFiles?: GitFiles;
  /** Without it no session gets a worktree. */
  worktrees?: Worktrees;
  /** Without it proposed edits are shown as the agent gives them, without the file around them. */
  projectFiles?: ProjectFiles;
  limits?: Partial<EngineLimits>;
  logger?: EngineLogger;
  /** Called before a session is made for a directory, and before an agent starts there; throws if it may not. */
  assertDirectory?(directory: string, session: string): Promise<void>;
  /** Called before a prompt is taken; throws if the session may not have a file that it names. Nothing is looked at when absent. */
  assertParts?: Services["assertParts"];
  keysOf?: Services["keysOf"];
  now?(): number;
  /** Limits how long a prompt that is retried after a death keeps others waiting. `setTimeout` by default. */
  setTimer?: SetTimer;
  newId?(prefix: string): string;
  /** The pause before a failed commit is tried again. */
  commitRetryMs?: number;
  /** Whether each commit costs a round trip: then what agents stream is gathered for a few milliseconds. */
  gathersCommits?: boolean;
}

const NO_PROGRAMS: Pick<Programs, "install"> = {
  async install({ agent }) {
    throw new InterlinguaError("unsupported", `${agent} cannot be installed here.`);
  },
};

const SILENT: EngineLogger = { info() {}, warn() {}, error() {} };

/** Opens the engine and closes what a dead daemon left open. */
export async function createEngine(options: EngineOptions): Promise<Engine & Pick<LocalEngine, "drain">> {
  const limits = { ...DEFAULT_ENGINE_LIMITS, ...options.limits };
  const logger = options.logger ?? SILENT;
  const ownership = options.ownership ?? soleOwnership(options.store);
  const services: Services = {
    store: options.store,
    ownership,
    agents: options.agents,
    agentSettings: options.agentSettings ?? {},
    programs: options.programs ?? NO_PROGRAMS,
    workspace: options.workspace,
    checkpoints: options.checkpoints ?? "on",
    onLost: options.onLost === "continue" ? "continue" : undefined,
    worktrees: options.worktrees,
    projectFiles: options.projectFiles,
    inRestore: new DirectoriesInRestore(),
    turns: new TurnsInDirectories(),
    directories: options.directories,
    gitFiles: options.gitFiles,
    limits,
    logger,
    listeners: new CommitListeners((error) => logger.error({ err: error }, "a listener failed")),
    keysOf: options.keysOf,
    now: options.now ?? Date.now,
    newId: options.newId ?? ((prefix) => `${prefix}_${randomBytes(12).toString("base64url")}`),
    slots: new AgentSlots(limits.maxLiveAgents),
    retries: new RetryLine(options.setTimer),
    identity: { daemon: options.daemonId ?? "", run: randomUUID() },
    slices: new TimeSlices(),
    assertDirectory: options.assertDirectory ?? (() => Promise.resolve()),
    assertParts: options.assertParts ?? (() => Promise.resolve()),
    endings: new TurnEndings(logger),
    counters: { unknownNative: 0, unread: new UnreadCounts(), waitingBytes: 0 },
    commit: new GroupCommit(options.store, {
      maxPendingBytes: limits.maxPendingBytes,
      retryMs: options.commitRetryMs,
      ...(options.gathersCommits && { pace: new CommitPace() }),
      ownership,
      onFailure: (error) => logger.error({ err: error }, "the log cannot be written; trying again"),
      onRecovery: () => logger.info({}, "the log can be written again"),
    }),
  };
  const engine = new LocalEngine(services);
  await engine.recover();
  return engine;
}
