import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createProcessHost } from "../process/local-process-host.ts";
import { processTable } from "../process/process-table.ts";
import { runNpm } from "./run-npm.ts";

const processHost = createProcessHost({
  daemonId: `run-npm-${process.pid}`,
  environment: { PATH: process.env.PATH },
});
afterAll(() => processHost.close());

test("an npm that hangs does not keep a session waiting for good, and leaves no process", async () => {
  const directory = mkdtempSync(join(tmpdir(), "il-npm-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const npm = join(directory, "npm");
  writeFileSync(npm, "#!/bin/sh\necho kestrel\nexec sleep 1000\n", { mode: 0o755 });
  const spawned: number[] = [];
  const watched = {
    ...processHost,
    spawn: async (options: Parameters<typeof processHost.spawn>[0]) => {
      const child = await processHost.spawn(options);
      spawned.push(child.pid);
      return child;
    },
  };
  const run = { npm, directory, processHost: watched, signal: new AbortController().signal, maxMs: 100 };
  await expect(runNpm(run)).rejects.toMatchObject({
    code: "install_failed",
    message: expect.stringContaining("npm did not end within"),
  });
  expect(spawned.map((pid) => processTable.read(pid))).toEqual([undefined]);
});
