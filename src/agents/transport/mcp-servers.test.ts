import { describe, expect, it } from "vitest";
import { readMcpServers } from "./mcp-servers.ts";

describe("readMcpServers", () => {
  it("gives programs their arguments", () => {
    const mcpServers = { files: { command: "files" }, web: { type: "http", url: "https://example.org/mcp" } };
    expect(readMcpServers({ mcpServers })).toEqual({
      files: { command: "files", args: [] },
      web: { type: "http", url: "https://example.org/mcp" },
    });
  });

  it("is empty for a session without any", () => {
    expect(readMcpServers({})).toEqual({});
  });

  it.each([
    { "with space": { command: "t0ps3cret" } },
    { odd: { foo: "t0ps3cret" } },
    { odd: "t0ps3cret" },
    { odd: { type: "http", headers: { authorization: "t0ps3cret" } } },
  ])("refuses %j and says what a server is, without its values", (mcpServers) => {
    const read = () => readMcpServers({ mcpServers });
    expect(read).toThrow(/MCP servers cannot be used.*\{type: "http" or "sse", url, headers\?\}/);
    expect(read).not.toThrow(/t0ps3cret/);
  });

  it("refuses a transport the agent does not have", () => {
    const mcpServers = { web: { type: "sse", url: "https://example.org/mcp" } };
    expect(() => readMcpServers({ mcpServers }, ["http"])).toThrow(
      /cannot be used: web.*\{type: "http", url/,
    );
  });
});
