/** The MCP servers of a session in OpenCode's words. */
import { z } from "zod";
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";

const texts = z.record(z.string(), z.string());

const programSchema = z
  .strictObject({
    type: z.literal("stdio").optional(),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: texts.optional(),
  })
  .transform(({ command, args, env }) => ({
    type: "local",
    command: [command, ...args],
    ...(env && { environment: env }),
  }));

const remoteSchema = z
  .strictObject({ type: z.enum(["http", "sse"]), url: z.url(), headers: texts.optional() })
  .transform(({ url, headers }) => ({ type: "remote", url, ...(headers && { headers }) }));

const serversSchema = z.record(z.string().regex(/^[\w-]+$/), z.union([programSchema, remoteSchema]));

export type OpenCodeMcpServers = z.infer<typeof serversSchema>;

/** Undefined for a session without any. Throws `invalid_request` for what is none. */
export function readMcpServers({ mcpServers }: ConnectOptions): OpenCodeMcpServers | undefined {
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
