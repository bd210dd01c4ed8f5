import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { FoundProgram } from "../../core/program.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import { protocol } from "./protocol.ts";

const processHost = createProcessHost({ daemonId: "claude-adapter-test", environment: process.env });
afterAll(() => processHost.close());

/** A program that only says its version, or what it dies with. The real one is run in test/agents. */
function adapterFor(found: FoundProgram | undefined) {
  const programs = { find: async () => found, install: async () => found! };
  return protocol.createAdapter({ processHost, programs, environment: () => ({}), directory: tmpdir });
}

const shell = (script: string): FoundProgram => ({
  command: "sh",
  args: ["-c", script, "sh"],
  from: "config",
});
const dies = (words: string) =>
  shell(`if [ "$1" = --version ]; then echo '2.1.325 (Claude Code)'; else echo '${words}' >&2; exit 1; fi`);

const session = { sessionId: "s1", cwd: process.cwd() };

describe("a Claude Code that cannot be used", () => {
  it.each([
    ["nowhere to be found", undefined, "agent_not_installed", /interlingua agents install claude/],
    ["too old", shell("echo '2.1.90 (Claude Code)'"), "agent_version", /2\.1\.90.*too old/],
    [
      "started by root without checks",
      dies("--dangerously-skip-permissions cannot be used with root/sudo privileges"),
      "agent_failed",
      /does not switch its permission checks off for root/,
    ],
    ["dead for a reason of its own", dies("Something new"), "agent_failed", /It wrote: Something new/],
  ])("is %s", async (_, found, code, message) => {
    await expect(adapterFor(found).connect(session)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it.each([
    [{ adapterOptions: { pace: 1 } }, /Unrecognized key: "pace"/],
    [{ mcpServers: { odd: {} } }, /cannot be used: odd/],
  ])("is not even looked for with %j", async (given, message) => {
    const connecting = adapterFor(undefined).connect({ ...session, ...given });
    await expect(connecting).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(message),
    });
  });
});

it("is asked for its version once, however many sessions it is started for", async () => {
  const directory = mkdtempSync(join(tmpdir(), "interlingua-claude-adapter-"));
  try {
    const asked = join(directory, "asked");
    const script = `if [ "$1" = --version ]; then echo x >> '${asked}'; echo 2.1.325; else exit 1; fi`;
    const adapter = adapterFor({ ...shell(script), command: "/bin/sh" });
    for (let round = 0; round < 2; round += 1)
      await expect(adapter.connect(session)).rejects.toMatchObject({ code: "agent_failed" });
    expect(readFileSync(asked, "utf8")).toBe("x\n");
  } finally {
    rmSync(directory, { recursive: true });
  }
});
