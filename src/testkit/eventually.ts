import { setTimeout as sleep } from "node:timers/promises";

/** Polls until the condition holds. The deadline is for a machine under load, not a measure of speed. */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  patienceMs = 25_000,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await sleep(10);
  }
}
