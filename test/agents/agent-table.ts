/** What the shared suites know of an agent: how it is started, and its own words for what all agents do. */
import type { BackendAdapter, ConnectOptions } from "../../src/core/adapter.ts";
import type { PermissionMode } from "../../src/core/capability.ts";
import type { Programs } from "../../src/core/program.ts";
import type { ToolPart } from "../../src/dialects/ai-sdk/ui-message.ts";
import type { ProcessHost } from "../../src/process/process-host.ts";
import type { AdapterContract } from "../../src/testkit/adapter-contract/index.ts";
import type { Beat, Reply, Script, ScriptedModel } from "../../src/testkit/scripted-model/index.ts";
import type { SessionRun } from "../../src/testkit/session-run.ts";
import type { AgentUnderTest, AgentWorld, WorldOptions } from "./agent-world.ts";
import type { Heard } from "./model-requests.ts";

/** A call by the model, and what of its part a reader of the message finds in the end. */
export interface ToolUse {
  readonly call: Beat;
  readonly part: Partial<Record<keyof ToolPart, unknown>>;
}

export interface AgentTable {
  /** What its worlds are made of. */
  readonly agent: AgentUnderTest;
  world(options: WorldOptions): Promise<AgentWorld>;
  /** One process of it works for all sessions that have the same environment. */
  readonly isShared: boolean;
  /** A command is told as a task, with an end of its own. */
  readonly commandsAreTasks?: boolean;
  /** What sessions are made with. */
  readonly sessions: {
    /** It asks before it changes a file. */
    readonly asking: object;
    /** It uses its tools without asking. */
    readonly trusted: object;
    /** What it thinks can be heard. */
    readonly thinking: object;
    /** It can put questions. */
    readonly questioning: object;
  };
  /** The one its sessions begin with, and another: as a session names it, and as the model's service hears it. */
  readonly models: readonly [ModelName, ModelName];
  /** The permission mode in which it changes files without asking. */
  readonly trustedMode: PermissionMode;
  readonly tools: {
    /** Writes one line, `A`, into a.txt of the project. */
    write(project: string): ToolUse;
    /** Runs a command and waits for its end. */
    run(command: string): Beat;
    /** `Which colour?`, `Red` or `Blue`. */
    readonly question: Beat;
    /** The tool of the MCP server `echo`, with the text `hello`. */
    readonly echo: ToolUse;
    /** One after the other: notes.txt is written, read, changed from `two` to `three`, and copied to copy.txt. */
    loop(project: string): readonly ToolUse[];
    /** At once; one of them fails. There are the files one.txt with `first` and two.txt with `second`. */
    parallel(project: string): readonly ToolUse[];
  };
  /** What the model was asked last in a conversation. */
  heard(model: ScriptedModel): Heard;
  /** What shows in it that there was a picture. */
  readonly pictureIsHeardAs: string;
  /** A prompt that looks like a slash command and leads to the script `command`, and what the model hears of it. */
  readonly command: {
    readonly file?: { readonly path: string; readonly content: string };
    readonly prompt: string;
    readonly isHeardAs: string;
  };
  /** Absent where it has none. */
  readonly subagent?: {
    readonly session: object;
    /** The script `delegate`: hands a task to a sub-agent, which the script `look` leads. Its last words are given. */
    scripts(project: string, last: Reply): Record<"delegate" | "look", Script>;
    /** The call that hands the task over, and the parts of what the sub-agent did, in order. */
    readonly call: object;
    readonly parts: readonly object[];
    /** It reports after the turn, in one that the agent begins by itself. */
    readonly reportsLater: boolean;
  };
  readonly errors: {
    /** Answers of the model that end a turn, and how that is told. */
    readonly lasting: readonly LastingError[];
    /** It tries again until it is stopped when the connection is lost. */
    readonly neverGivesUp?: boolean;
    /** A notice says when a connection that was lost in the middle of a text is made good. */
    readonly tellsRetries: boolean;
  };
  /** The notice that a fork begins with; that it goes on from a copy of the agent's own conversation when absent. */
  readonly forkIsTold?: string;
  /** What its model hears later of a turn in which a command was stopped with the daemon. */
  readonly stopIsHeardAs?: string;
  /** It writes its conversation a little after it acts. A prompt that is not written is one it never had. */
  untilWritten?(world: AgentWorld, words: string): Promise<void>;
  readonly contract: ContractTable;
}

export interface ModelName {
  readonly name: string;
  readonly isHeardAs: string;
}

export interface LastingError {
  readonly status: number;
  readonly said: string;
  readonly code: string;
  readonly told: RegExp;
}

/** What the contract of adapters wants to know beyond that. */
export interface ContractTable extends Pick<AdapterContract, "adapterOptions" | "permissionModes"> {
  createAdapter(parts: AdapterParts): BackendAdapter;
  /** All checks use one adapter, since what it starts takes long to start. */
  readonly isOneForAll?: boolean;
  readonly connectOptions: Omit<ConnectOptions, "sessionId" | "cwd">;
  /** Begins a command that goes on in the background until it is ended, where single ones can be. */
  background?(): readonly Reply[];
  /** Works for about a second and uses a tool, so that there is time to steer. */
  work(project: string): readonly Reply[];
  /** What became of `write`, by the last result that the model got, or by what the agent said. */
  isAllowed(result: string): boolean;
  isDenied(result: string, run: SessionRun): boolean;
  readonly slashCommand: { readonly prompt: string; holds(run: SessionRun, input: string): boolean };
}

export interface AdapterParts {
  readonly processHost: ProcessHost;
  readonly programs: Programs;
  readonly environment: Record<string, string>;
  /** Of its own, to keep things in. */
  readonly directory: string;
}
