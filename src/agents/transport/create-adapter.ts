/** The adapter of a defined agent: what every `connect`, `settle` and `release` has in common. */
import { z } from "zod";
import type { AgentOutput, BackendAdapter, BackendSession, ConnectOptions } from "../../core/adapter.ts";
import { extendSession } from "../../core/extend-session.ts";
import { assertOffered } from "../../core/offered-settings.ts";
import type {
  AgentMeans,
  AgentResources,
  ChildOpening,
  ProtocolDefinition,
  TurnOpening,
} from "./define-protocol.ts";
import { openChildSession } from "./open-child-session.ts";
import { ProgramAnswers } from "./program-answers.ts";
import { readOptions } from "./read-options.ts";
import { startLimit } from "./start-limit.ts";
import { TurnProcessSession } from "./turn-process-session.ts";

const NO_OPTIONS = z.strictObject({});

export function createAdapter<State, Options, Shared>(
  definition: ProtocolDefinition<State, Options, Shared>,
  means: AgentMeans,
): BackendAdapter {
  const { name, title, capabilities, environmentKeys, program, settings } = definition;
  const optionsSchema = definition.optionsSchema ?? (NO_OPTIONS as unknown as z.ZodType<Options>);
  const { processHost } = means;
  const resources: AgentResources<Shared> = {
    ...means,
    answers: new ProgramAnswers(processHost),
    shared: definition.share?.(means) as Shared,
  };
  return {
    name,
    // Errors are sentences and begin with it; a list of agents is none.
    title: title.replace(/^The (.)/, (_, first: string) => first.toUpperCase()),
    capabilities,
    environmentKeys,
    program,
    rewindsByFork: definition.rewindsByFork,
    takesHistory: definition.takesHistory,
    memory: definition.memory?.(resources),
    probe: () => definition.probe(resources),
    settle(wanted) {
      if (settings) assertOffered(title, settings, wanted.settings);
      return definition.settle?.(wanted, resources) ?? wanted;
    },
    async connect(connect) {
      const options = readOptions(title, optionsSchema, connect);
      using limit = startLimit(title, { signal: connect.signal, ms: means.startTimeoutMs });
      const { signal } = limit;
      try {
        const opening = await definition.open({ ...resources, connect: { ...connect, signal }, options });
        return await openSession(definition, opening, { means, connect, signal });
      } catch (error) {
        // What was stopped fails in its own words.
        signal.throwIfAborted();
        throw error;
      }
    },
    async release(sessionId) {
      if (!definition.share) await processHost.endSession(sessionId);
    },
  };
}

async function openSession<State, Options, Shared>(
  { name: agent, capabilities, translator }: ProtocolDefinition<State, Options, Shared>,
  { end, explainFailure, fork, agentSessionId, ...opening }: ChildOpening<State> | TurnOpening<State>,
  { means, connect, signal }: { means: AgentMeans; connect: ConnectOptions; signal: AbortSignal },
): Promise<BackendSession> {
  const { processHost, startTimeoutMs } = means;
  const { sessionId, onStartRecord } = connect;
  let isStarting = true;
  const finish = async () => end?.();
  const onExit = () => void finish().catch(() => {});
  const start = async (read: (output: AgentOutput) => void): Promise<BackendSession> => {
    const observe = (output: AgentOutput) => {
      if (isStarting) onStartRecord?.(output.raw);
      read(output);
    };
    const common = { agent, processHost, translator, observe };
    if (!("turnEncoder" in opening)) return openChildSession({ ...common, ...opening, signal, onExit });
    const { turnEncoder: encoder, ...turns } = opening;
    return new TurnProcessSession({ ...common, ...turns, encoder, sessionId, startTimeoutMs });
  };
  try {
    const session = await extendSession(capabilities, start, fork);
    isStarting = false;
    return {
      ...session,
      ...(agentSessionId !== undefined && { agentSessionId }),
      close: (options) => session.close(options).finally(finish),
    };
  } catch (error) {
    await finish();
    throw explainFailure ? explainFailure(error) : error;
  }
}
