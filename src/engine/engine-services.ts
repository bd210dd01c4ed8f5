/** What every session of the engine shares. Choices are made in the composition root, none in here. */
import type { BackendAdapter } from "../core/adapter.ts";
import type { SessionEvent } from "../core/event.ts";
import type { GitFiles } from "../core/git-files.ts";
import type { OnLost } from "../core/on-lost.ts";
import type { Ownership } from "../core/ownership.ts";
import type { Programs } from "../core/program.ts";
import type { ProjectFiles } from "../core/project-files.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { SharedDirectories } from "../core/shared-directories.ts";
import type { ClientKey, Store } from "../core/store.ts";
import type { TimeSlices } from "../core/time-slices.ts";
import type { Workspace } from "../core/workspace.ts";
import type { Worktrees } from "../core/worktree.ts";
import type { AgentSlots } from "./agent/agent-slots.ts";
import type { UnreadCounts } from "./agent/unread-counts.ts";
import type { CommitListeners } from "./commits/commit-listeners.ts";
import type { GroupCommit } from "./commits/group-commit.ts";
import type { DirectoriesInRestore } from "./files/directories-in-restore.ts";
import type { TurnsInDirectories } from "./files/turns-in-directories.ts";
import type { EngineLimits } from "./limits.ts";
import type { RetryLine } from "./prompts/prompt-preparation.ts";
import type { TurnEndings } from "./session/turn-endings.ts";

export interface EngineLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What the config says about an agent. */
export interface ConfiguredAgent {
  /** Whether it may be installed, for sessions that do not say so themselves. */
  readonly install?: "auto" | "never";
  /** On top of the allow-listed environment of its processes. Secret: masked like a session's own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The names in it whose values are no secrets. */
  readonly plain?: readonly string[];
  /** Secrets that no process gets, by names to show in their place: headers. */
  readonly secrets?: Readonly<Record<string, string>>;
}

export interface Services {
  store: Store;
  ownership: Ownership;
  commit: GroupCommit;
  listeners: CommitListeners;
  agents: ReadonlyMap<string, BackendAdapter>;
  /** By the agent's name. */
  agentSettings: Readonly<Record<string, ConfiguredAgent>>;
  programs: Pick<Programs, "install">;
  /** The past of directories. Without it there are no checkpoints. */
  workspace?: Workspace;
  /** Whether new ones are taken. */
  checkpoints: "on" | "off";
  /** The default of new sessions: they stop when it is absent. */
  onLost?: OnLost;
  /** Makes worktrees of repositories. Absent where nothing is kept on disk. */
  worktrees?: Worktrees;
  /** Files of sessions' directories. Without them proposed edits are not shown where they stand. */
  projectFiles?: ProjectFiles;
  inRestore: DirectoriesInRestore;
  turns: TurnsInDirectories;
  /** What other nodes do in directories that they share with this one. Absent where there are none. */
  directories?: SharedDirectories;
  /** Files that travel by git between nodes. Absent where there are none. */
  gitFiles?: GitFiles;
  limits: EngineLimits;
  logger: EngineLogger;
  /** The keys of client protocols for an event. Pure. */
  keysOf?(event: SessionEvent): readonly Omit<ClientKey, "seq">[];
  now(): number;
  newId(prefix: string): string;
  slots: AgentSlots;
  retries: RetryLine;
  /** Which daemon this is, and which of its runs. */
  identity: { readonly daemon: string; readonly run: string };
  /** For long work. */
  slices: TimeSlices;
  /** Throws when the agent of this session may not work in this directory (any more). */
  assertDirectory(directory: string, session: string): Promise<void>;
  /** Throws when a prompt names a file that this session may not have. */
  assertParts(session: string, parts: readonly PromptPart[]): Promise<void>;
  endings: TurnEndings;
  counters: {
    unknownNative: number;
    unread: UnreadCounts;
    /** The total size of waiting prompts over all sessions, in characters. */
    waitingBytes: number;
  };
}
