/** The thread of `HealthProbe`. */
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

const PAUSE_MS = 2;

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const { url } = workerData as { url: string };
let answers = 0;
let worstMs = 0;
let isTaken = false;

parentPort!.on("message", () => {
  isTaken = true;
});

await ask();
parentPort!.postMessage("ready");
for (;;) {
  const startedAt = performance.now();
  await ask();
  answers += 1;
  worstMs = Math.max(worstMs, performance.now() - startedAt);
  // Only after an answer: one that is late counts for the action that made it late.
  if (isTaken) {
    parentPort!.postMessage({ answers, worstMs });
    isTaken = false;
    answers = 0;
    worstMs = 0;
  }
  await sleep(PAUSE_MS);
}

/** A daemon that stood still may have closed the connection: then it is asked again, and the time goes on. */
function ask(): Promise<void> {
  return new Promise((resolve) => {
    get(`${url}/v1/health`, { agent }, (response) => {
      response.resume();
      response.on("end", resolve);
    }).on("error", () => sleep(PAUSE_MS).then(ask).then(resolve));
  });
}
