/** The adapters of all ACP agents: those that come with us, and those from the config. */
import type { BackendAdapter } from "../../core/adapter.ts";
import type { Programs } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { createAcpAdapter } from "./adapter.ts";
import type { AcpAgent } from "./agent.ts";
import { PRESETS } from "./presets.ts";

/** An agent nobody here has seen: its name, and the protocol it speaks. The config has its command. */
export interface CustomAgent {
  readonly name: string;
  readonly protocol: "acp";
}

export interface AcpAgentsContext {
  readonly processHost: ProcessHost;
  readonly programs: Programs;
  environmentOf(agent: string): NodeJS.ProcessEnv;
  readonly custom?: readonly CustomAgent[];
}

export function createAcpAgents({
  processHost,
  programs,
  environmentOf,
  custom = [],
}: AcpAgentsContext): BackendAdapter[] {
  const inTurn = createQueue();
  return [...PRESETS, ...custom.map(toAgent)].map((agent) =>
    createAcpAdapter({ agent, processHost, programs, environment: () => environmentOf(agent.name), inTurn }),
  );
}

/** Runs one piece of work after the other, also when one fails. */
function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

/** It gets no keys but those the config names. */
function toAgent({ name }: CustomAgent): AcpAgent {
  return {
    name,
    title: name,
    program: { executable: name },
    args: [],
    environmentKeys: [],
    signIn: `Sign in with its own program, or set its key in agents.${name}.env of the config file.`,
  };
}
