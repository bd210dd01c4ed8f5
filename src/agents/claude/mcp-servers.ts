/** The MCP servers of a session in Claude Code's words. They go over its input: a command line is everybody's to see. */
import { z } from "zod";
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";

const texts = z.record(z.string(), z.string());

const programSchema = z.strictObject({
  type: z.literal("stdio").optional(),
  command: z.string().min(1),
  /** Claude Code fails on a server without them. */
  args: z.array(z.string()).default([]),
  env: texts.optional(),
});

const remoteSchema = z.strictObject({
  type: z.enum(["http", "sse"]),
  url: z.url(),
  headers: texts.optional(),
});

const serversSchema = z.record(z.string().regex(/^[\w-]+$/), z.union([programSchema, remoteSchema]));

export type ClaudeMcpServers = z.infer<typeof serversSchema>;

/** Undefined for a session without any. Throws `invalid_request` for what is none. */
export function readMcpServers({ mcpServers }: ConnectOptions): ClaudeMcpServers | undefined {
  if (mcpServers === undefined || Object.keys(mcpServers).length === 0) return undefined;
  const read = serversSchema.safeParse(mcpServers);
  if (read.success) return read.data;
  const names = [...new Set(read.error.issues.map(({ path }) => String(path[0] ?? "")))];
  throw new InterlinguaError(
    "invalid_request",
    `These MCP servers cannot be used: ${names.join(", ")}. Give each a name of letters, digits, - and _, and either {command, args?, env?} or {type: "http" or "sse", url, headers?}.`,
    { errors: names.map((name) => ({ path: `mcpServers.${name}`, message: "not an MCP server" })) },
  );
}
