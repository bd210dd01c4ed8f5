/** The tools of the session's MCP servers. A server that does not work is told and does without. */
import { createHash } from "node:crypto";
import { createMCPClient, type MCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import type { ModelAccess, WireMcpServer } from "../wire.ts";
import type { LoopTool } from "./loop-tool.ts";
import { ToolFailure } from "./tools/tool.ts";

const START_TIMEOUT_MS = 30_000;
const LIST_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS = 600_000;

export interface McpSurroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Told once for each server that does not work. */
  failed(server: string, reason: string): void;
  readonly listTimeoutMs?: number;
  readonly callTimeoutMs?: number;
}

export async function connectMcpServers(
  servers: ModelAccess["mcpServers"],
  surroundings: McpSurroundings,
): Promise<LoopTool[]> {
  const tools = await Promise.all(
    Object.entries(servers).map(async ([name, server]) => {
      try {
        return await toolsOf(name, server, surroundings);
      } catch (error) {
        surroundings.failed(name, error instanceof Error ? error.message : String(error));
        return [];
      }
    }),
  );
  return tools.flat();
}

async function toolsOf(
  server: string,
  settings: WireMcpServer,
  surroundings: McpSurroundings,
): Promise<LoopTool[]> {
  const { cwd, environment, listTimeoutMs = LIST_TIMEOUT_MS } = surroundings;
  const transport =
    "command" in settings
      ? new StdioTransport({
          command: settings.command,
          args: settings.args,
          env: { ...environment, ...settings.env },
          cwd,
          stderr: "ignore",
        })
      : settings;
  const client = await createMCPClient({
    transport,
    clientName: "interlingua",
    initializationOptions: { timeout: START_TIMEOUT_MS },
    onUncaughtError: () => {},
  });
  const timeout = AbortSignal.timeout(listTimeoutMs);
  try {
    const tools = await listTools(client, timeout);
    return tools.map((tool) => toLoopTool(client, server, tool, surroundings));
  } catch (error) {
    // Nobody will use it.
    await client.close().catch(() => {});
    if (!timeout.aborted) throw error;
    throw new Error(`it did not say which tools it has within ${listTimeoutMs / 1000} s`, { cause: error });
  }
}

type McpTool = Awaited<ReturnType<MCPClient["listTools"]>>["tools"][number];

/** All pages of them. */
async function listTools(client: MCPClient, signal: AbortSignal): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools({ params: { cursor }, options: { signal } });
    tools.push(...page.tools);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return tools;
}

function toLoopTool(
  client: MCPClient,
  server: string,
  tool: McpTool,
  { callTimeoutMs = CALL_TIMEOUT_MS }: McpSurroundings,
): LoopTool {
  const { name, description = "", inputSchema } = tool;
  return {
    name: mcpToolName(server, name),
    kind: "other",
    description,
    schema: inputSchema as LoopTool["schema"],
    permission: "execute",
    parse: (input) => input ?? {},
    title: () => `${name} of ${server}`,
    async run(input, { signal }) {
      const timeout = AbortSignal.timeout(callTimeoutMs);
      const result = await client
        .callTool({
          name,
          arguments: input as Record<string, unknown>,
          options: { signal: AbortSignal.any([signal, timeout]) },
        })
        .catch((error: Error) => {
          if (!timeout.aborted)
            throw new ToolFailure("exception", `The MCP server "${server}": ${error.message}`);
          const text = `The MCP server "${server}" did not answer within ${callTimeoutMs / 1000} s.`;
          throw new ToolFailure("timeout", text, { cause: error });
        });
      const content = contentOf(result as { content?: unknown; toolResult?: unknown });
      if ((result as { isError?: boolean }).isError) {
        throw new ToolFailure("exception", typeof content === "string" ? content : JSON.stringify(content));
      }
      return { result: { type: "mcp_result", content } };
    },
  };
}

/** Providers take no longer ones. */
const MAX_NAME_LENGTH = 64;
/** Names that can be put together with `__` and told apart again. */
const PLAIN_NAME = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/;

/**
 * `mcp__SERVER__TOOL`. Where that would have to be changed, or could mean another tool, it ends in a checksum: a rule for
 * one tool must never cover another.
 */
export function mcpToolName(server: string, tool: string): string {
  const whole = `mcp__${server}__${tool}`;
  const isPlain = PLAIN_NAME.test(server) && PLAIN_NAME.test(tool);
  if (isPlain && whole.length <= MAX_NAME_LENGTH) return whole;
  const checksum = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, 12);
  const room = MAX_NAME_LENGTH - checksum.length - 2;
  return `${whole.replace(/[^\w-]/g, "_").slice(0, room)}__${checksum}`;
}

/** Text where all of it is text. */
function contentOf({ content, toolResult }: { content?: unknown; toolResult?: unknown }): unknown {
  if (!Array.isArray(content)) return toolResult ?? null;
  const texts = content.map((part) => (part?.type === "text" ? part.text : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : content;
}
