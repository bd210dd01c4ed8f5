/** Amp itself, for whoever has a key: it works on its maker's servers, so without one there is nothing to test. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { protocol } from "../../src/agents/amp/protocol.ts";
import type { BackendAdapter } from "../../src/core/adapter.ts";
import { checkLog } from "../../src/core/check-log.ts";
import { createPrograms } from "../../src/install/local-programs.ts";
import { createProcessHost } from "../../src/process/local-process-host.ts";
import { startRun } from "../../src/testkit/session-run.ts";

const KEY = process.env.AMP_API_KEY;

async function withAmp(act: (options: { project: string; adapter: BackendAdapter }) => Promise<void>) {
  const project = mkdtempSync(join(tmpdir(), "interlingua-amp-"));
  const processHost = createProcessHost({ daemonId: `amp-${process.pid}`, environment: process.env });
  try {
    const programs = createPrograms({
      processHost,
      dataDirectory: inject("installedAgents"),
      searchPath: process.env.PATH ?? "",
    });
    const environment = () => process.env;
    const adapter = protocol.createAdapter({ processHost, programs, directory: () => project, environment });
    await act({ project, adapter });
  } finally {
    await processHost.close();
    rmSync(project, { recursive: true, force: true });
  }
}

it("the program that is installed says its version and its flags", () =>
  withAmp(async ({ adapter }) => {
    expect(await adapter.probe()).toMatchObject({ installed: true, version: adapter.program?.version });
  }));

describe.skipIf(!KEY)("with AMP_API_KEY (skipped without it)", () => {
  it("answers, and remembers", () =>
    withAmp(async ({ adapter, project }) => {
      const run = await startRun({ adapter, cwd: project, deadlineMs: 120_000 });
      expect((await run.turn("The word is kestrel. Answer only: ok")).outcome).toBe("completed");
      expect((await run.turn("Which word did I tell you? Answer with the word only.")).outcome).toBe(
        "completed",
      );
      expect(run.text.toLowerCase()).toContain("kestrel");
      expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    }));
});
