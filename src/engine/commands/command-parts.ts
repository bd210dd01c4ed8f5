/** What the commands of one daemon work with. */
import type { Principal } from "../../core/principal.ts";
import type { CommandAnswer, CommandInput, CommandName } from "../../protocol/commands/index.ts";
import type { AgentList } from "../agent/agent-list.ts";
import type { RunCommand } from "../engine.ts";
import type { Services } from "../engine-services.ts";
import type { FileHistory } from "../files/file-history.ts";
import type { FileRestores } from "../files/file-restores.ts";
import type { GarbageSchedule } from "../files/garbage-schedule.ts";
import type { KeyedQueue } from "../keyed-queue.ts";
import type { Rewinds } from "../prompts/rewinds.ts";
import type { SessionDirectory } from "../session/session-directory.ts";

export interface CommandParts {
  readonly services: Services;
  readonly sessions: SessionDirectory;
  readonly agents: AgentList;
  readonly history: FileHistory;
  readonly restores: FileRestores;
  readonly rewinds: Rewinds;
  readonly garbage: GarbageSchedule | undefined;
  /** Creation and deletion of a session never overlap. */
  readonly lives: KeyedQueue;
  /** Prompts with the same id never overlap. */
  readonly prompts: KeyedQueue;
  /** Edits and regenerations of a session, each of which is several commands. */
  readonly rewrites: KeyedQueue;
  /** Other commands of this engine. */
  readonly run: RunCommand;
  /** Throws `shutting_down`. */
  assertOpen(): void;
  /**
   * Throws also while the log cannot be written: nothing may happen that is not recorded. Stopping an agent is the
   * exception.
   */
  assertReady(): void;
}

/** What a command does. */
export type Implementation<Name extends CommandName> = (
  parts: CommandParts,
  input: CommandInput<Name>,
  caller: Principal,
) => Promise<CommandAnswer<Name>>;

export type Implementations<Names extends CommandName> = { readonly [Name in Names]: Implementation<Name> };
