/**
 * Everything at once for a long time: sessions, prompts, asks, a hostile agent, a hostile client, readers that come, go and
 * do not read, agents that crash, a daemon that is killed, a disk that is full. Then nothing may have been lost, and what the
 * daemon takes must not have grown. `SOAK_MINUTES` says how long; `SEED` repeats it as far as that can be.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { openStoreReadOnly } from "../../src/store/open-store.ts";
import { hostileAgent } from "../../src/testkit/hostile-agent/index.ts";
import { seededRandom } from "../../src/testkit/random.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonProcess, RecordingClient } from "../crash/daemon-process.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { growth, type Sample, takeSample } from "./samples.ts";
import { reader, type Soak, vandal, worker } from "./soak-clients.ts";

const MINUTES = Number(process.env.SOAK_MINUTES ?? 20);
const MB = 1024 * 1024;
/** What the last third may take in comparison with the first. Leaks grow without end, everything else does not. */
const MAX_GROWTH = 1.6;
const MAX_DELAY = 3;

const directory = mkdtempSync(join(tmpdir(), "interlingua-soak-"));
const isMounted = tryMount();

function tryMount(): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=3g", "tmpfs", directory], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("SKIPPED: the phases with a full disk need root on Linux to mount a file system");
    return false;
  }
}

let daemon: DaemonProcess;

afterAll(async () => {
  await daemon?.kill();
  if (isMounted) execFileSync("umount", [directory]);
  rmSync(directory, { recursive: true, force: true });
});

it.skipIf(process.platform !== "linux")("nothing is lost and nothing grows", async () => {
  const random = seededRandom("soak");
  const { command, args } = hostileAgent({ maxBytes: 2_000_000 });
  const config = {
    agents: { hostile: { protocol: "acp", command: [command, ...args] } },
    limits: { idleDetachMs: 2000, stopGraceMs: 500, unloadMs: 2000, requestsPerSecond: 100_000 },
  };
  writeFileSync(join(directory, "config.json"), JSON.stringify(config));
  daemon = await DaemonProcess.start(directory);
  const base = takeSample(daemon.pid);
  const end = Date.now() + MINUTES * 60_000;
  const soak: Soak = { seed: random.seed, client: () => daemon, isOver: () => Date.now() > end };

  // A session whose log is compared at the end with what was seen of it, over all deaths.
  await daemon.call("POST", "/v1/sessions", { id: "witness", agent: "mock", options: { pace: 0 } });
  const seen: string[] = [];
  let follower = new RecordingClient(daemon, "witness");

  const kill = async () => {
    await daemon.kill();
    await follower.finished;
    // Not spread: there are more than arguments a call can have.
    for (const line of follower.lines) seen.push(line);
    daemon = await DaemonProcess.start(directory);
    follower = new RecordingClient(daemon, "witness", seen.length);
  };
  const witness = async () => {
    while (!soak.isOver()) {
      const text = random.pick(["scenario:rich", "scenario:burst:300"]);
      await daemon.request("POST", "/v1/sessions/witness/messages", { text }).catch(() => {});
      await sleep(1000);
    }
  };
  const samples: Sample[] = [];
  const chaos = async () => {
    // Killed early only: a daemon that has just been started cannot show a leak.
    for (let kills = 0; kills < 3; kills += 1) {
      await sleep((MINUTES * 60_000) / 30);
      await kill();
    }
    while (!soak.isOver()) {
      const asked = performance.now();
      await askHealth(daemon);
      samples.push({ ...takeSample(daemon.pid), latencyMs: performance.now() - asked });
      if (isMounted && samples.length % 120 === 60) await fullDisk();
      await sleep(1000);
    }
  };
  await Promise.all([
    ...["one", "two", "three"].map((name) => worker(soak, name, "mock")),
    worker(soak, "hostile", "hostile"),
    ...[1, 2, 3, 4].map((index) => reader(soak, index)),
    vandal(soak),
    witness(),
    chaos(),
  ]);

  console.log(summary(samples));
  expect(growth(samples, "residentBytes", 64 * MB)).toBeLessThan(MAX_GROWTH);
  expect(growth(samples, "descriptors", 20)).toBeLessThan(MAX_GROWTH);
  expect(growth(samples, "processes", 5)).toBeLessThan(MAX_GROWTH);
  expect(growth(samples, "latencyMs", 5)).toBeLessThan(MAX_DELAY);

  // Everybody has left: what they took is given back. A session whose worker was cut off by a death of the daemon may
  // wait for an answer, as it should, and keep its agent.
  await removeWaiting(daemon);
  await until(() => {
    const { descriptors, processes } = takeSample(daemon.pid);
    return descriptors <= base.descriptors + 10 && processes <= base.processes;
  }, 60_000);
  await kill();
  await until(async () => {
    const { status } = await daemon.call<{ status: string }>("GET", "/v1/sessions/witness");
    return status === "idle";
  }, 60_000);
  const stored = await daemon.events("witness");
  expect(stored.slice(0, seen.length)).toEqual(seen);
  const log = stored.map((line) => JSON.parse(line) as SessionEvent);
  expect(checkLog(log, { complete: true })).toEqual([]);
  await daemon.kill("SIGTERM");
  await follower.finished;
  expect(await leftoverProcesses(directory)).toEqual([]);
  const store = await openStoreReadOnly(directory);
  expect(await store.check()).toMatchObject({ ok: true, problems: [] });
  await store.close();
});

async function removeWaiting(daemon: DaemonProcess): Promise<void> {
  const { asks } = await daemon.call<{ asks: { session: string }[] }>("GET", "/v1/asks");
  for (const { session } of asks) await daemon.request("DELETE", `/v1/sessions/${session}`);
}

/** A connection that was kept and is closed just now breaks, as every client of HTTP knows. A second one must not. */
async function askHealth(daemon: DaemonProcess): Promise<void> {
  const ask = async () => (await daemon.request("GET", "/v1/health")).text();
  await ask().catch(() =>
    ask().catch((cause) => {
      throw new Error(daemon.fate, { cause });
    }),
  );
}

/** For a few seconds nothing can be written. */
async function fullDisk(): Promise<void> {
  const ballast = join(directory, "ballast");
  for (const size of [16 * MB, 64 * 1024, 1024]) {
    try {
      while (true) writeFileSync(ballast, Buffer.alloc(size), { flag: "a" });
    } catch {
      // Full at this size; go on with smaller pieces.
    }
  }
  await sleep(3000);
  truncateSync(ballast, 0);
}

function summary(samples: readonly Sample[]): string {
  const fields = ["residentBytes", "descriptors", "processes", "latencyMs"] as const;
  const parts = fields.map((field) => `${field} ×${growth(samples, field, 0).toFixed(2)}`);
  return `${samples.length} samples, last third to first: ${parts.join(", ")}`;
}
