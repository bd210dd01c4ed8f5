import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram, Programs } from "../../core/program.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import { probe } from "./probe.ts";

const directory = mkdtempSync(join(tmpdir(), "interlingua-claude-probe-"));
const processHost = createProcessHost({ daemonId: "claude-probe-test", environment: process.env });
afterAll(async () => {
  await processHost.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A stand-in that answers the two questions a probe has; the real one is asked in test/agents. */
function program(version: string, auth = ""): FoundProgram {
  const command = join(directory, `claude-${version.replaceAll(/\W/g, "-")}-${auth.length}`);
  writeFileSync(
    command,
    `#!/bin/sh\nif [ "$1" = --version ]; then echo '${version}'; else echo '${auth}'; fi\n`,
  );
  chmodSync(command, 0o700);
  return { command, args: [], from: "config" };
}

function status(found: FoundProgram | undefined) {
  const programs: Programs = { find: async () => found, install: async () => found! };
  return probe({ processHost, programs, environment: () => ({}) });
}

describe("probe", () => {
  it("tells version and sign-in", async () => {
    expect(await status(program("2.1.325 (Claude Code)", '{"loggedIn": true}'))).toEqual({
      installed: true,
      version: "2.1.325",
      signedIn: true,
    });
  });

  it("says how to sign in with this very program", async () => {
    const found = program("2.1.400 (Claude Code)", '{"loggedIn": false}');
    expect(await status(found)).toMatchObject({
      signedIn: false,
      remedy: expect.stringContaining(`\`${found.command} auth login\``),
    });
  });

  it("does not guess when it is not told", async () => {
    expect(await status(program("2.1.325 (Claude Code)", "Usage: claude"))).toEqual({
      installed: true,
      version: "2.1.325",
      signedIn: undefined,
    });
  });

  it("names a version that is too old, and the way to a newer one", async () => {
    expect(await status(program("2.1.90 (Claude Code)"))).toMatchObject({
      version: "2.1.90",
      remedy: expect.stringMatching(/2\.1\.90.*too old: 2\.1\.197.*interlingua agents install claude/),
    });
  });

  it("names a program that is something else", async () => {
    expect(await status(program("hello"))).toMatchObject({
      installed: false,
      remedy: expect.stringContaining("does not say which Claude Code it is"),
    });
  });

  it("says how to install what is not there", async () => {
    expect(await status(undefined)).toMatchObject({
      installed: false,
      remedy: expect.stringContaining("interlingua agents install claude"),
    });
  });

  it("says what is wrong with the program that was configured", async () => {
    const problem = new InterlinguaError("agent_failed", "The program of claude was not found.");
    const programs: Programs = {
      find: () => Promise.reject(problem),
      install: () => Promise.reject(problem),
    };
    expect(await probe({ processHost, programs, environment: () => ({}) })).toEqual({
      installed: false,
      remedy: problem.message,
    });
  });
});
