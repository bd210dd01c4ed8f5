/** What has to be known of a machine to read its figures. Nothing that tells which machine it is. */
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/crash/daemon-process.ts";
import { clock } from "./clock.ts";
import { quantile } from "./quantile.ts";

export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly arch: string;
  readonly cores: number;
  readonly processor: string;
  readonly memoryGB: number;
  /** One page written and made durable, where the benchmarks keep their data: the median, in milliseconds. */
  readonly fsyncMs: number;
}

const PAGE = Buffer.alloc(4096, 1);
const TIMES = 200;

export async function machineFacts(): Promise<Machine> {
  const { version, platform, arch } = process;
  return {
    node: version,
    platform,
    arch,
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? "unknown",
    memoryGB: Math.round(totalmem() / 1e9),
    fsyncMs: await fsyncTime(),
  };
}

async function fsyncTime(): Promise<number> {
  await using directory = await temporaryDirectory();
  const file = openSync(join(directory.path, "page"), "w");
  const waits = Array.from({ length: TIMES }, () => {
    const startedAt = clock();
    writeSync(file, PAGE);
    fdatasyncSync(file);
    return (clock() - startedAt) / 1000;
  });
  closeSync(file);
  return quantile(waits, 0.5);
}
