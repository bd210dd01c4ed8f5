import { describe, expect, it } from "vitest";
import { readMcpServers } from "./mcp-servers.ts";
import { readOptions } from "./options.ts";

const session = { sessionId: "s1", cwd: "/project" };

describe("readOptions", () => {
  it("takes what Claude Code knows, and nothing", () => {
    expect(readOptions(session)).toEqual({});
    const adapterOptions = { allowedTools: ["Write"], maxTurns: 2, settingSources: [] };
    expect(readOptions({ ...session, adapterOptions })).toEqual(adapterOptions);
  });

  it.each([
    [{ pace: 0 }, /Unrecognized key: "pace"/],
    [{ maxTurns: 0 }, /options\.maxTurns/],
    [{ settingSources: ["everything"] }, /options\.settingSources\.0/],
    [{ allowedTools: "Write" }, /options\.allowedTools/],
  ])("refuses %j and names it", (adapterOptions, reason) => {
    expect(() => readOptions({ ...session, adapterOptions })).toThrow(reason);
  });
});

describe("readMcpServers", () => {
  it("gives programs their arguments, since Claude Code fails without", () => {
    const mcpServers = { files: { command: "files" }, web: { type: "http", url: "https://example.org/mcp" } };
    expect(readMcpServers({ ...session, mcpServers })).toEqual({
      files: { command: "files", args: [] },
      web: { type: "http", url: "https://example.org/mcp" },
    });
  });

  it("is nothing for a session without any", () => {
    expect(readMcpServers(session)).toBeUndefined();
    expect(readMcpServers({ ...session, mcpServers: {} })).toBeUndefined();
  });

  it.each([
    { "with space": { command: "x" } },
    { odd: { foo: 1 } },
    { odd: "command" },
    { odd: { type: "http" } },
  ])("refuses %j and says what a server is, without its values", (mcpServers) => {
    expect(() => readMcpServers({ ...session, mcpServers })).toThrow(/MCP servers cannot be used/);
  });
});
