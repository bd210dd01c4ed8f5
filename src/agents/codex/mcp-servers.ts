/** The MCP servers of a session as keys of Codex's config. */
import { z } from "zod";
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";

const texts = z.record(z.string(), z.string());

const serverSchema = z.union([
  z.strictObject({
    type: z.literal("stdio").optional(),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: texts.optional(),
  }),
  z.strictObject({ type: z.literal("http"), url: z.url(), headers: texts.optional() }),
]);

const serversSchema = z.record(z.string().regex(/^[\w-]+$/), serverSchema);

export type CodexMcpServers = Readonly<Record<string, object>>;

/** Throws `invalid_request` for what is none. */
export function readMcpServers({ mcpServers = {} }: ConnectOptions): CodexMcpServers {
  const read = serversSchema.safeParse(mcpServers);
  if (read.success) {
    const servers = Object.entries(read.data);
    return Object.fromEntries(servers.map(([name, server]) => [`mcp_servers.${name}`, toTable(server)]));
  }
  const names = [...new Set(read.error.issues.map(({ path }) => String(path[0] ?? "")))];
  throw new InterlinguaError(
    "invalid_request",
    `These MCP servers cannot be used: ${names.join(", ")}. Give each a name of letters, digits, - and _, and either {command, args?, env?} or {type: "http", url, headers?}.`,
    { errors: names.map((name) => ({ path: `mcpServers.${name}`, message: "not an MCP server" })) },
  );
}

function toTable(server: z.infer<typeof serverSchema>): object {
  if (!("url" in server)) {
    const { command, args, env } = server;
    return { command, args, ...(env && { env }) };
  }
  const { url, headers } = server;
  return { url, ...(headers && { http_headers: headers }) };
}
