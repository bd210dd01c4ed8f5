/** A daemon whose system calls fail when told to: interpose.c between it and the C library, where there is a compiler. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { DaemonProcess } from "../crash/daemon-process.ts";
import type { RunningDaemon } from "./scenario.ts";

export interface SystemCallFault {
  call: string;
  /** Which call fails, counted from 1. */
  nth: number;
  /** How many fail from there on. */
  times: number;
  /** 0 is a read or write of half of what was asked for. */
  errno: number;
}

/** Call it at the top of a suite. The compiled file; undefined, with a word about it, where it cannot be made. */
export function compileInterposer(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), "interlingua-interpose-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const library = join(directory, "interpose.so");
  try {
    if (process.platform !== "linux") throw new Error("LD_PRELOAD is of Linux");
    const source = join(import.meta.dirname, "interpose.c");
    execFileSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl", "-lpthread"]);
    return library;
  } catch (error) {
    console.warn(`SKIPPED: failing system calls need Linux and a C compiler (${(error as Error).message})`);
    return undefined;
  }
}

/** The files beside a data directory that steer and tell. */
export class SystemCalls {
  readonly #data: string;
  readonly #library: string;
  #times = 0;

  constructor(data: string, library: string) {
    this.#data = data;
    this.#library = library;
    this.lift();
    writeFileSync(this.#report, "");
  }

  /** Each process counts for itself. */
  fail({ call, nth, times, errno }: SystemCallFault): void {
    this.#times = times;
    writeFileSync(this.#control, `${call} ${nth} ${times} ${errno}\n`);
  }

  lift(): void {
    writeFileSync(this.#control, "");
  }

  /** The calls that failed, with their files. */
  get fired(): string[] {
    return readFileSync(this.#report, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  }

  async start(): Promise<RunningDaemon> {
    if (this.fired.length >= this.#times) this.lift();
    const environment = {
      LD_PRELOAD: this.#library,
      FAULT_DIRECTORY: `${this.#data}/`,
      FAULT_CONTROL: this.#control,
      FAULT_REPORT: this.#report,
    };
    const daemon = await DaemonProcess.start(this.#data, { environment });
    return Object.assign(daemon, { close: () => daemon.kill("SIGTERM") });
  }

  get #control(): string {
    return `${this.#data}.fault`;
  }

  get #report(): string {
    return `${this.#data}.fired`;
  }
}
