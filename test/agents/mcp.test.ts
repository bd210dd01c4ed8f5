/** Agents use the tools of MCP servers that a session names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { AGENTS } from "./agents.ts";

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, tools, heard }) => {
  it("has the tools of MCP servers, and keeps what they are given out of the process list", async () => {
    await using world = await start({
      scripts: () => ({ echo: [[tools.echo.call], [text("It answered.")]] }),
    });
    const session = await world.session({
      ...sessions.trusted,
      env: { ECHO_TOKEN: "a-secret-prefix" },
      mcpServers: {
        echo: {
          command: process.execPath,
          args: [join(import.meta.dirname, "mcp-server.ts")],
          env: { ECHO_PREFIX: "a-secret-prefix" },
        },
      },
    });
    const turn = await session.run("Use it [[echo]]");
    expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "It answered." });
    expect(heard(world.model).results.at(-1)).toContain("a-secret-prefix: hello");
    // What the log says is masked.
    expect(JSON.stringify(ofType(turn.events, "tool.output"))).toContain("[secret ECHO_TOKEN]: hello");
    const commandLine = readFileSync(`/proc/${await session.pid()}/cmdline`, "utf8");
    expect(commandLine).not.toBe("");
    expect(commandLine).not.toContain("a-secret-prefix");
  });
});
