/** The MCP servers of a session. Each agent's folder puts them into its own format. */
import { z } from "zod";
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import { lostPrototypeKey } from "../../core/own-value.ts";

const texts = z.record(z.string(), z.string());

const programSchema = z.strictObject({
  type: z.literal("stdio").optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts.optional(),
});

/** Reached over HTTP: as it is today, or by the older way over server-sent events. */
const TRANSPORTS = ["http", "sse"] as const;

type RemoteTransport = (typeof TRANSPORTS)[number];

type McpProgram = z.infer<typeof programSchema>;

interface RemoteMcpServer {
  type: RemoteTransport;
  url: string;
  headers?: Record<string, string>;
}

export type McpServers = Readonly<Record<string, McpProgram | RemoteMcpServer>>;

/**
 * Throws `invalid_request` for an entry that is not an MCP server, without its values: they may be secret.
 *
 * @example readMcpServers({ …, mcpServers: { files: { command: "files-mcp" } } }) // files: { command, args: [] }
 */
export function readMcpServers(
  { mcpServers = {} }: Pick<ConnectOptions, "mcpServers">,
  transports: readonly RemoteTransport[] = TRANSPORTS,
): McpServers {
  const remoteSchema = z.strictObject({ type: z.enum(transports), url: z.url(), headers: texts.optional() });
  const schema = z.record(z.string().regex(/^[\w-]+$/), z.union([programSchema, remoteSchema]));
  const read = schema.safeParse(mcpServers);
  const lost = lostPrototypeKey(mcpServers, read.data);
  if (read.success && !lost) return read.data;
  const paths = lost ? [lost] : (read.error?.issues.map(({ path }) => path) ?? []);
  const names = [...new Set(paths.map((path) => String(path[0] ?? "")))];
  const kinds = transports.map((transport) => `"${transport}"`).join(" or ");
  throw new InterlinguaError(
    "invalid_request",
    `These MCP servers cannot be used: ${names.join(", ")}. Give each a name of letters, digits, - and _, and either {command, args?, env?} or {type: ${kinds}, url, headers?}.`,
    { errors: names.map((name) => ({ path: `mcpServers.${name}`, message: "not an MCP server" })) },
  );
}
