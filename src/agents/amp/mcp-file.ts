/** The MCP servers of a session as a file for Amp: they may have secrets, and a command line is everybody's to see. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConnectOptions } from "../../core/adapter.ts";

export interface McpFile {
  readonly path: string;
  /** Idempotent. */
  remove(): void;
}

/** Undefined for a session without any. */
export function writeMcpFile(
  directory: string,
  { sessionId, mcpServers }: ConnectOptions,
): McpFile | undefined {
  if (mcpServers === undefined || Object.keys(mcpServers).length === 0) return undefined;
  const path = join(directory, `${sessionId}.mcp.json`);
  writeFileSync(path, JSON.stringify(mcpServers), { mode: 0o600 });
  return { path, remove: () => rmSync(path, { force: true }) };
}
