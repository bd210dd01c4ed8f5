/** The MCP servers of a session in the protocol's words. */
import { z } from "zod";
import { InterlinguaError } from "../../core/error.ts";
import type { McpServer } from "./wire.ts";

const texts = z.record(z.string(), z.string()).default({});

const serverSchema = z.union([
  z.strictObject({
    type: z.literal("stdio").optional(),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: texts,
  }),
  z.strictObject({ type: z.enum(["http", "sse"]), url: z.url(), headers: texts }),
]);

/** Throws `invalid_request` for what is none. */
export function readMcpServers(servers: Record<string, unknown> = {}): McpServer[] {
  return Object.entries(servers).map(([name, value]) => {
    const read = serverSchema.safeParse(value);
    if (!read.success) throw notAServer(name);
    const server = read.data;
    if ("url" in server) {
      return { type: server.type, name, url: server.url, headers: pairs(server.headers) };
    }
    return { name, command: server.command, args: server.args, env: pairs(server.env) };
  });
}

function pairs(values: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

function notAServer(name: string): InterlinguaError {
  return new InterlinguaError(
    "invalid_request",
    `The MCP server "${name}" cannot be used. Give either {command, args?, env?} or {type: "http" or "sse", url, headers?}.`,
    { errors: [{ path: `mcpServers.${name}`, message: "not an MCP server" }] },
  );
}
