import { expect, it } from "vitest";
import { mcpToolName } from "./mcp.ts";

it("a tool of an MCP server is named after both", () => {
  expect(mcpToolName("files", "read_one")).toBe("mcp__files__read_one");
});

it.each<[name: string, one: [string, string], other: [string, string]]>([
  ["that begin alike", ["s", `${"x".repeat(80)}a`], ["s", `${"x".repeat(80)}b`]],
  ["with signs that providers do not take", ["s", "a.b"], ["s", "a/b"]],
  ["of which one has the sign that stands for others", ["s", "a.b"], ["s", "a_b"]],
  ["of servers whose names run into theirs", ["a", "b__c"], ["a__b", "c"]],
  ["with a line at the edge", ["a_", "b"], ["a", "_b"]],
])("two tools never get one name: %s", (_name, one, other) => {
  const names = [mcpToolName(...one), mcpToolName(...other)];
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/);
});

it("a name that ends in a checksum is no other tool's plain name", () => {
  const changed = mcpToolName("s", "a.b");
  const [, server, ...rest] = changed.split("__");
  expect(mcpToolName(server!, rest.join("__"))).not.toBe(changed);
});
