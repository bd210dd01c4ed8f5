/** A short storm. test/long/storm.test.ts is a longer one. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startDaemon } from "../../src/daemon.ts";
import { seededRandom } from "../../src/testkit/random.ts";
import { storm } from "./storm.ts";

it("50 clients of mixed dialects that are cut off again and again understand the same", async () => {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-storm-")));
  const daemon = await startDaemon({ data: ":memory:", port: 0, roots: [cwd] });
  try {
    const cuts = await storm({ daemon, cwd, clients: 50, turns: 4, random: seededRandom("storm") });
    expect(cuts).toBeGreaterThan(50);
  } finally {
    await daemon.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}, 120_000);
