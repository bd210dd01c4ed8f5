/** What one session wants of its agent: read from the connect options once, and refused where it makes no sense. */
import { z } from "zod";
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import { settingValuesSchema } from "../../core/setting.ts";
import { readOptions } from "../transport/read-options.ts";
import { requireResumeId } from "../transport/resume-id.ts";
import { acpMcpServers } from "./mcp-servers.ts";
import type { McpServer } from "./wire.ts";

/** The settings a session may give in `options`. */
const optionsSchema = z.strictObject({
  /** Let the agent read and write files through us, inside the session's directory. */
  files: z.boolean().optional(),
  /** Let the agent run its commands through us. */
  terminals: z.boolean().optional(),
  /** Which of its ways to sign in the agent is to use where it asks for one. */
  authMethod: z.string().min(1).optional(),
  /** Settings of the agent's own by their ids, as it lists them. */
  settings: settingValuesSchema.optional(),
});

export interface AcpConnection extends z.infer<typeof optionsSchema> {
  readonly cwd: string;
  /** The agent's session to take up; a new one when absent. */
  readonly resume?: string;
  readonly model?: string;
  readonly mode?: string;
  readonly mcpServers: readonly McpServer[];
}

/** Throws `invalid_request` or `unsupported`, saying what is wrong. */
export function readConnection(agent: string, options: ConnectOptions): AcpConnection {
  const { cwd, model, mode, permissionMode } = options;
  if (permissionMode !== undefined) {
    throw new InterlinguaError(
      "unsupported",
      `${agent} has no permission modes of ours; choose one of its own modes with \`mode\`.`,
    );
  }
  return {
    ...readOptions(agent, optionsSchema, options),
    cwd,
    resume: requireResumeId(agent, options),
    model,
    mode,
    mcpServers: acpMcpServers(options),
  };
}
