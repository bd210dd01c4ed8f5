/** The adapter: what the agent can do, how it is started, and the two halves. The config file names this file. */
import { join } from "node:path";
import { type BackendCapabilities, defineProtocol, requireResumeId } from "interlingua/adapter";
import { z } from "zod";
import { inbound } from "./inbound.ts";
import { outbound } from "./outbound.ts";

const PROGRAM = join(import.meta.dirname, "parrot.js");

/** What is declared has to work, and what is not declared must not: the contract suite looks at both. */
const capabilities: BackendCapabilities = {
  streaming: true,
  permissions: true,
  questions: false,
  slashCommands: false,
  steer: false,
  reportsSteering: false,
  fork: false,
  resume: true,
  rewind: false,
  images: false,
  setModel: false,
  modes: [],
  moreModes: false,
  permissionModes: [],
  availability: "local",
};

export default defineProtocol({
  name: "parrot",
  title: "The parrot",
  capabilities,
  environmentKeys: [],
  optionsSchema: z.strictObject({
    /** Another program in place of the parrot. */
    program: z.string().optional(),
  }),
  translator: outbound,
  probe: async () => ({ installed: true, version: "1.0.0" }),
  open: async ({ connect, options, directory }) => {
    const known = requireResumeId("The parrot", connect);
    const { program = PROGRAM } = options;
    return {
      launch: {
        command: process.execPath,
        args: [program, directory(), ...(known === undefined ? [] : [known])],
        cwd: connect.cwd,
        sessionId: connect.sessionId,
        environment: connect.environment,
      },
      encoder: inbound,
    };
  },
});
