import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ProcessHost } from "../process/process-host.ts";
import { agentContext } from "./agent-context.test-support.ts";
import { agentDirectory } from "./agent-directory.ts";
import { createAgents } from "./registry.ts";

it("gives every adapter under its own name", () => {
  const agents = createAgents(agentContext({} as ProcessHost, ":memory:"));
  expect(agents.has("mock")).toBe(true);
  for (const [name, adapter] of agents) expect(adapter.name).toBe(name);
});

it("an agent's directory lies in the data directory and is for the owner only", () => {
  const data = mkdtempSync(join(tmpdir(), "interlingua-test-"));
  const directory = agentDirectory(data, "mock");
  expect(existsSync(join(data, "agents"))).toBe(false);
  expect(directory()).toBe(join(data, "agents", "mock"));
  expect(statSync(directory()).mode & 0o777).toBe(0o700);
  rmSync(data, { recursive: true });
});

it("in memory it is a temporary one, the same each time", () => {
  const directory = agentDirectory(":memory:", "mock");
  expect(directory()).toBe(directory());
  expect(directory().startsWith(tmpdir())).toBe(true);
  rmSync(directory(), { recursive: true });
});
