/** A burst in some sessions, read by some readers: how long it took, what the gateway needed for it, what arrived. */
import { clock } from "../harness/clock.ts";
import type { Gateway, GatewaySession } from "./gateway.ts";
import { cpuOf } from "./process-usage.ts";
import type { StreamReader } from "./stream-reader.ts";

export interface MeasuredBurst {
  readonly seconds: number;
  /** Of the gateway, in microseconds. */
  readonly cpu: number;
  /** Chunks over all readers. */
  readonly received: number;
}

/** Plays `warmUp` chunks that do not count, then `chunks` in every session at once. Closes the readers. */
export async function measuredBurst(
  gateway: Gateway,
  sessions: readonly GatewaySession[],
  readers: readonly StreamReader[],
  { warmUp, chunks }: { warmUp: number; chunks: number },
): Promise<MeasuredBurst> {
  await Promise.all(sessions.map((session) => session.prompt(`burst ${warmUp}`)));
  await Promise.all(readers.map((reader) => reader.until(() => reader.turns > 0)));
  for (const reader of readers) reader.reset();

  const cpuBefore = cpuOf(gateway.pid);
  const startedAt = clock();
  for (const session of sessions) session.prompt(`burst ${chunks}`).catch(() => {});
  await Promise.all(readers.map((reader) => reader.until(() => reader.chunks >= chunks || reader.turns > 0)));
  const cpu = cpuOf(gateway.pid) - cpuBefore;
  const seconds = (Math.max(...readers.map(({ lastChunkAt }) => lastChunkAt)) - startedAt) / 1e6;
  const received = readers.reduce((sum, reader) => sum + reader.chunks, 0);
  for (const reader of readers) reader.close();
  return { seconds, cpu, received };
}
