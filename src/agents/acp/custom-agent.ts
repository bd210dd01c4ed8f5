/** An ACP agent that only the config knows. */
import type { DeclaredAsking } from "../asking-rules.ts";
import type { AcpAgent, RemoteAgent } from "./agent.ts";

/** An agent nobody here has seen: its name, and the protocol it speaks. The config has its command, or where it is reached. */
export interface CustomAgent {
  readonly name: string;
  readonly protocol: "acp";
  /** For one that runs elsewhere. */
  readonly remote?: RemoteAgent;
  readonly asks?: DeclaredAsking;
}

/** It gets no keys but those the config names. */
export function fromConfig({ name, remote }: Pick<CustomAgent, "name" | "remote">): AcpAgent {
  return {
    name,
    title: name,
    program: { executable: name },
    args: [],
    environmentKeys: [],
    signIn: remote
      ? `Sign in where it runs, or correct agents.${name}.headers in the config file.`
      : `Sign in with its own program, or set its key in agents.${name}.env of the config file.`,
    ...(remote && { remote, capabilities: { availability: "remote" } }),
  };
}
