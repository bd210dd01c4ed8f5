/** The MCP servers of a session in OpenCode's words. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { type McpServers, readMcpServers } from "../transport/mcp-servers.ts";

/** Undefined for a session without any. Throws `invalid_request` for an entry that is not an MCP server. */
export function nativeMcpServers(connect: ConnectOptions): Record<string, object> | undefined {
  const servers = Object.entries(readMcpServers(connect));
  if (servers.length === 0) return undefined;
  return Object.fromEntries(servers.map(([name, server]) => [name, toOpenCode(server)]));
}

function toOpenCode(server: McpServers[string]): object {
  if (!("url" in server)) {
    const { command, args, env } = server;
    return { type: "local", command: [command, ...args], environment: env };
  }
  const { url, headers } = server;
  return { type: "remote", url, headers };
}
