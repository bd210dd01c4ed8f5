/** What a daemon says of itself while nothing that needs its thread pool goes on. */
import { execFileSync } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { until } from "../src/testkit/until.ts";
import { DaemonProcess, temporaryDirectory } from "./crash/daemon-process.ts";

const THREADS = 4;
/** The probe asks every two seconds and has a limit of ten. */
const PATIENCE_MS = 60_000;

test("four FIFOs that block all threads of the pool: health says so, with what to do, until they are gone", async () => {
  await using directory = await temporaryDirectory();
  const fifos = Array.from({ length: THREADS }, (_, index) => join(directory.path, `fifo-${index}`));
  execFileSync("mkfifo", fifos);
  const daemon = await DaemonProcess.start(directory.path, {
    script: join(import.meta.dirname, "blocked-pool-daemon.ts"),
    environment: { UV_THREADPOOL_SIZE: String(THREADS), FIFOS: fifos.join(":") },
  });
  try {
    expect(await answers(daemon)).toMatchObject({ health: 200, ready: 200, live: 200, metric: "1" });
    process.kill(daemon.pid, "SIGUSR2");
    await until(() => isHealth(daemon, 503), PATIENCE_MS);
    expect(await answers(daemon)).toMatchObject({ health: 503, ready: 503, live: 200, metric: "0" });
    for (const path of ["/v1/health", "/v1/health/ready"]) {
      const body = await (await daemon.request("GET", path)).json();
      expect(body).toMatchObject({
        status: "failing",
        code: "thread_pool_blocked",
        problem: expect.stringContaining("restart the daemon"),
      });
    }
    // A writer frees the thread that waits for one.
    for (const fifo of fifos) await (await open(fifo, "r+")).close();
    await until(() => isHealth(daemon, 200), PATIENCE_MS);
    expect(await answers(daemon)).toMatchObject({ health: 200, ready: 200, metric: "1" });
  } finally {
    await daemon.kill();
  }
});

/** Not too often: requests are limited. */
async function isHealth(daemon: DaemonProcess, expected: number): Promise<boolean> {
  await sleep(100);
  return (await daemon.request("GET", "/v1/health")).status === expected;
}

async function answers(daemon: DaemonProcess) {
  const status = async (path: string) => (await daemon.request("GET", path)).status;
  const metrics = await (await daemon.request("GET", "/metrics")).text();
  return {
    health: await status("/v1/health"),
    ready: await status("/v1/health/ready"),
    live: await status("/v1/health/live"),
    metric: /^interlingua_thread_pool_answers (\d)$/m.exec(metrics)?.[1],
  };
}
