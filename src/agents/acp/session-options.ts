/** What one session wants of its agent: read from the connect options once, and refused where it makes no sense. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import { readMcpServers } from "../transport/mcp-servers.ts";
import { requireResumeId } from "../transport/resume-id.ts";
import type { AcpOptions } from "./options.ts";
import type { McpServer } from "./wire.ts";

export interface SessionOptions extends AcpOptions {
  readonly cwd: string;
  /** The agent's session to resume; a new one when absent. */
  readonly resume?: string;
  readonly model?: string;
  readonly mode?: string;
  readonly mcpServers: readonly McpServer[];
}

/** Throws `invalid_request` or `unsupported`, saying what is wrong. */
export function sessionOptions(title: string, connect: ConnectOptions, options: AcpOptions): SessionOptions {
  const { cwd, model, mode, permissionMode } = connect;
  if (permissionMode !== undefined) {
    throw new InterlinguaError(
      "unsupported",
      `${title} has no permission modes of ours; choose one of its own modes with \`mode\`.`,
    );
  }
  const resume = requireResumeId(title, connect);
  return { ...options, cwd, resume, model, mode, mcpServers: nativeMcpServers(connect) };
}

/** Throws `invalid_request` for an entry that is not an MCP server. */
function nativeMcpServers(options: ConnectOptions): McpServer[] {
  return Object.entries(readMcpServers(options)).map(([name, server]) => {
    if ("url" in server) return { type: server.type, name, url: server.url, headers: pairs(server.headers) };
    return { name, command: server.command, args: server.args, env: pairs(server.env) };
  });
}

function pairs(values: Record<string, string> = {}): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
