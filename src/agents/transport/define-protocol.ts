/** Puts an agent together: what its messages mean and how it is run. Every agent folder's `protocol.ts` calls it. */
import type { z } from "zod";
import type { AgentSettings, BackendAdapter, ConnectOptions } from "../../core/adapter.ts";
import type { AdapterMemory } from "../../core/adapter-memory.ts";
import type { AgentStatus } from "../../core/capability.ts";
import type { ForkConversation } from "../../core/extend-session.ts";
import type { OfferedSetting } from "../../core/offered-settings.ts";
import type { Programs } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import type { AgentProtocol } from "./agent-protocol.ts";
import { createAdapter } from "./create-adapter.ts";
import type { OpenChildSessionOptions } from "./open-child-session.ts";
import type { ProgramAnswers } from "./program-answers.ts";
import type { TurnProcessSessionOptions } from "./turn-process-session.ts";

/** What the daemon gives an agent to work with. */
export interface AgentMeans {
  readonly processHost: ProcessHost;
  /** Finds the executables of agents that bring none of their own. */
  readonly programs: Programs;
  /** The environment its processes begin with. Secret: for looking, not for logging. */
  environment(): NodeJS.ProcessEnv;
  /** Gives the directory for the agent's own files, and makes it at the first call. */
  directory(): string;
  /** How long an agent may take to start, from `connect` until it is ready. 120 seconds when absent. */
  readonly startTimeoutMs?: number;
  /** Queues work that all agents must not do at once; runs it at once when absent. */
  inTurn?<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** What an agent has while the daemon runs. */
export interface AgentResources<Shared = undefined> extends AgentMeans {
  /** Remembers what its program said about itself: version, flags. */
  readonly answers: ProgramAnswers;
  /** The result of `share`. */
  readonly shared: Shared;
}

export interface OpenOptions<Options, Shared = undefined> extends AgentResources<Shared> {
  readonly connect: ConnectOptions;
  /** The session's `adapterOptions`, read by `optionsSchema`. */
  readonly options: Options;
}

interface OpeningBase {
  /** Called when the session is over or could not be opened, perhaps more than once. */
  end?(): void | Promise<void>;
  /** Gives a better error for why the session could not be opened, or the same one. */
  explainFailure?(error: unknown): unknown;
  readonly fork?: ForkConversation;
  /** See `BackendSession`: for an agent that reports no id of its conversation. */
  readonly agentSessionId?: string;
}

/** A session over one process, or over a channel of a shared one: then `processHost` gives the channel. */
export interface ChildOpening<State>
  extends OpeningBase,
    Pick<OpenChildSessionOptions<State>, "launch" | "encoder" | "preface" | "serve">,
    Partial<Pick<OpenChildSessionOptions<State>, "processHost">> {}

/** A session with one process for each turn. */
export interface TurnOpening<State> extends OpeningBase, Pick<TurnProcessSessionOptions<State>, "opening"> {
  readonly turnEncoder: TurnProcessSessionOptions<State>["encoder"];
}

export interface ProtocolDefinition<State, Options, Shared>
  extends Omit<AgentProtocol<State>, "decodeCommands">,
    Partial<Pick<AgentProtocol<State>, "decodeCommands">>,
    Pick<BackendAdapter, "environmentKeys" | "program" | "rewindsByFork" | "takesHistory"> {
  /** How people call the agent; errors begin with it. */
  readonly title: string;
  /** See `BackendAdapter`. */
  memory?(resources: AgentResources<Shared>): AdapterMemory | undefined;
  /** Which `adapterOptions` a session may give. Strict: what it does not name is refused. None when absent. */
  readonly optionsSchema?: z.ZodType<Options>;
  /** Its settings besides model and modes; absent where only the running agent knows them. */
  readonly settings?: readonly OfferedSetting[];
  /** See `BackendAdapter`. The `settings` were checked before. */
  settle?(wanted: AgentSettings, resources: AgentResources<Shared>): AgentSettings | Promise<AgentSettings>;
  /**
   * Creates what all sessions share, such as a pool of servers. Called once for each adapter. Processes then belong to
   * no session, so `release` has nothing to end.
   */
  share?(means: AgentMeans): Shared;
  /** Never rejects: what is wrong stands in the status. */
  probe(resources: AgentResources<Shared>): Promise<AgentStatus>;
  /**
   * Says what to start for a session, or rejects and leaves nothing behind. It checks what it was given before it looks
   * for the program: bad input is no reason to install one.
   */
  open(options: OpenOptions<Options, Shared>): Promise<ChildOpening<State> | TurnOpening<State>>;
}

/** An agent: what its messages mean, and the adapter that runs it. */
export interface DefinedProtocol<State = unknown> extends AgentProtocol<State> {
  createAdapter(means: AgentMeans): BackendAdapter;
}

/** @example export const protocol = defineProtocol({ name, title, capabilities, translator: outbound, open, … }); */
export function defineProtocol<State, Options, Shared = undefined>(
  definition: ProtocolDefinition<State, Options, Shared>,
): DefinedProtocol<State> {
  // Without it a recording of the agent cannot be replayed.
  return {
    decodeCommands: () => [],
    ...definition,
    createAdapter: (means) => createAdapter(definition, means),
  };
}
