/** The MCP servers of a session as a file for Amp: they may have secrets, and everybody can read a command line. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ConnectOptions } from "../../core/adapter.ts";
import { replacePrivateFile } from "../../files/private-file.ts";
import { readMcpServers } from "../transport/mcp-servers.ts";

interface McpFile {
  readonly path: string;
  /** Idempotent. */
  remove(): void;
}

/** Undefined for a session without any. Throws `invalid_request` for an entry that is not an MCP server. */
export function writeMcpFile(directory: string, connect: ConnectOptions): McpFile | undefined {
  const servers = Object.entries(readMcpServers(connect));
  if (servers.length === 0) return undefined;
  // Amp tells servers apart by their fields.
  const named = servers.map(([name, { type: _type, ...server }]) => [name, server]);
  const path = join(directory, `${connect.sessionId}.mcp.json`);
  // An agent can put a pipe or a link here: the file takes its place and does not go through it.
  replacePrivateFile(path, JSON.stringify(Object.fromEntries(named)));
  return { path, remove: () => rmSync(path, { force: true }) };
}
