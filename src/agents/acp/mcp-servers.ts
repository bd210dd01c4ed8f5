/** The MCP servers of a session in the protocol's words. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { readMcpServers } from "../transport/mcp-servers.ts";
import type { McpServer } from "./wire.ts";

/** Throws `invalid_request` for an entry that is not an MCP server. */
export function nativeMcpServers(options: ConnectOptions): McpServer[] {
  return Object.entries(readMcpServers(options)).map(([name, server]) => {
    if ("url" in server) return { type: server.type, name, url: server.url, headers: pairs(server.headers) };
    return { name, command: server.command, args: server.args, env: pairs(server.env) };
  });
}

function pairs(values: Record<string, string> = {}): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
