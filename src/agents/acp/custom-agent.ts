/** An ACP agent that only the config knows. */
import type { AcpAgent } from "./agent.ts";

/** An agent nobody here has seen: its name, and the protocol it speaks. The config has its command. */
export interface CustomAgent {
  readonly name: string;
  readonly protocol: "acp";
}

/** It gets no keys but those the config names. */
export function fromConfig({ name }: Pick<CustomAgent, "name">): AcpAgent {
  return {
    name,
    title: name,
    program: { executable: name },
    args: [],
    environmentKeys: [],
    signIn: `Sign in with its own program, or set its key in agents.${name}.env of the config file.`,
  };
}
