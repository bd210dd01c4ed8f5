/** Servers that do not do as they should, each in a process of its own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../../testkit/until.ts";
import type { LoopTool } from "./loop-tool.ts";
import { connectMcpServers, type McpSurroundings } from "./mcp.ts";
import type { ToolContext } from "./tools/tool.ts";

/** It writes its process id into a file, and is told what to do wrong. */
const SERVER = `
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
const [, , pidFile, fault] = process.argv;
writeFileSync(pidFile, String(process.pid));
const TOOLS = ["one", "two", "three"].map((name) => ({ name, inputSchema: { type: "object" } }));
const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "odd", version: "1" },
  }),
  "tools/list": ({ cursor = "0" }) => {
    if (fault === "silent-list") return undefined;
    const next = Number(cursor) + 1;
    return { tools: [TOOLS[Number(cursor)]], ...(next < 3 && { nextCursor: String(next) }) };
  },
  "tools/call": () => (fault === "ends" ? process.exit(1) : null),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue;
  const result = RESULTS[method]?.(params);
  const error = { code: -32601, message: "method not found" };
  if (method in RESULTS && result === undefined) continue;
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(method in RESULTS ? { result } : { error }) }));
}
`;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-mcp-test-"));
  writeFileSync(join(directory, "server.mjs"), SERVER);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Connected {
  readonly tools: LoopTool[];
  readonly failures: string[];
  readonly pid: number;
}

async function connect(fault: string, limits: Partial<McpSurroundings> = {}): Promise<Connected> {
  const pidFile = join(directory, `${fault}.pid`);
  const args = [join(directory, "server.mjs"), pidFile, fault];
  const failures: string[] = [];
  const tools = await connectMcpServers(
    { odd: { command: process.execPath, args } },
    {
      cwd: directory,
      environment: {},
      failed: (server, reason) => failures.push(`${server}: ${reason}`),
      ...limits,
    },
  );
  return { tools, failures, pid: Number(readFileSync(pidFile, "utf8")) };
}

const isGone = (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

const context = () => ({ signal: new AbortController().signal }) as ToolContext;

it("a server that never says which tools it has is given up, and does not go on running", async () => {
  const { tools, failures, pid } = await connect("silent-list", { listTimeoutMs: 500 });
  expect(tools).toEqual([]);
  expect(failures).toEqual(["odd: it did not say which tools it has within 0.5 s"]);
  await until(() => isGone(pid));
});

it("the tools of all pages are there", async () => {
  const { tools, failures, pid } = await connect("none");
  expect(tools.map(({ name }) => name)).toEqual(["mcp__odd__one", "mcp__odd__two", "mcp__odd__three"]);
  expect(failures).toEqual([]);
  process.kill(pid);
});

it("a call that gets no result ends by itself", async () => {
  const { tools, pid } = await connect("nothing", { callTimeoutMs: 500 });
  await expect(tools[0]!.run({}, context(), "call-1")).rejects.toMatchObject({
    code: "timeout",
    message: 'The MCP server "odd" did not answer within 0.5 s.',
  });
  process.kill(pid);
});

it("a call of a server that ends fails, with its name", async () => {
  const { tools } = await connect("ends");
  for (const _time of ["first", "second"])
    await expect(tools[0]!.run({}, context(), "call-1")).rejects.toMatchObject({
      code: "exception",
      message: expect.stringContaining('The MCP server "odd": '),
    });
});
