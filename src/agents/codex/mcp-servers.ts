/** The MCP servers of a session as keys of Codex's config. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { type McpServers, readMcpServers } from "../transport/mcp-servers.ts";

/** Throws `invalid_request` for an entry that is not an MCP server. Codex has no transport over server-sent events. */
export function nativeMcpServers(options: ConnectOptions): Readonly<Record<string, object>> {
  const servers = Object.entries(readMcpServers(options, ["http"]));
  return Object.fromEntries(servers.map(([name, server]) => [`mcp_servers.${name}`, toTable(server)]));
}

function toTable(server: McpServers[string]): object {
  if (!("url" in server)) {
    const { command, args, env } = server;
    return { command, args, env };
  }
  const { url, headers } = server;
  return { url, http_headers: headers };
}
