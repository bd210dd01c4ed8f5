import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentStatus } from "../../core/capability.ts";
import type { FoundProgram } from "../../core/program.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { stubAmp } from "../../testkit/stub-amp/index.ts";
import { probe } from "./probe.ts";

const RECORDINGS = resolve(import.meta.dirname, "../../../test/fixtures/recordings/amp");
const NEWEST = readdirSync(join(RECORDINGS, "help")).sort().at(-1)!;

const threads = mkdtempSync(join(tmpdir(), "interlingua-amp-probe-"));
const AMP = stubAmp({
  help: join(RECORDINGS, "help", NEWEST),
  threads,
  recordings: RECORDINGS,
  allowsAll: true,
});
const INSTALL = /interlingua agents install amp/g;

let processHost: ProcessHost;

beforeAll(() => {
  processHost = createProcessHost({ daemonId: `amp-probe-${process.pid}`, environment: process.env });
});

afterAll(async () => {
  await processHost.close();
  rmSync(threads, { recursive: true, force: true });
});

function status(
  program: Omit<FoundProgram, "from"> | undefined,
  environment: NodeJS.ProcessEnv = {},
): Promise<AgentStatus> {
  const find = async () => program && { ...program, from: "config" as const };
  const programs = { find, install: () => Promise.reject(new Error("no")) };
  return probe({ processHost, programs, environment: () => environment });
}

describe("the probe of Amp", () => {
  it("tells the version, and that there is a key", async () => {
    expect(await status(AMP)).toEqual({ installed: true, version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(await status(AMP, { AMP_API_KEY: "key" })).toMatchObject({ installed: true, signedIn: true });
  });

  it.each([
    ["nothing is there", undefined],
    ["it is something else", { command: "/bin/true", args: [] }],
    ["it cannot be started", { command: join(threads, "amp"), args: [] }],
  ])("says once how to install it where %s", async (_, program) => {
    const { installed, remedy } = await status(program);
    expect(installed).toBe(false);
    expect(remedy?.match(INSTALL)).toHaveLength(1);
  });
});
