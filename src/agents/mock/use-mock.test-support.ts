/** For tests: the mock as the daemon has it, in directories of its own, and nothing left when the tests are over. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { BackendAdapter } from "../../core/adapter.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { createAgents } from "../registry.ts";
import { type RunOptions, type ScenarioRun, startRun } from "./scenario-run.test-support.ts";

/** Tests start the program often. */
const COMPILE_CACHE = resolve("node_modules/.cache/node-compile-cache");

export class Mock {
  readonly directory = mkdtempSync(join(tmpdir(), "interlingua-mock-test-"));
  readonly #host: ProcessHost;
  readonly adapter: BackendAdapter;

  constructor(host: ProcessHost) {
    this.#host = host;
    this.adapter = createAgents({ processHost: host, dataDirectory: this.directory }).get("mock")!;
  }

  start(options: Partial<RunOptions> = {}): Promise<ScenarioRun> {
    return startRun({ adapter: this.adapter, cwd: this.directory, ...options });
  }

  async dispose(): Promise<void> {
    await this.#host.close();
    rmSync(this.directory, { recursive: true });
  }
}

/** Call it at the top of a suite; the mock is there once the tests run. */
export function useMock(): () => Mock {
  let mock: Mock;
  beforeAll(() => {
    const environment = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE };
    mock = new Mock(createProcessHost({ daemonId: `mock-test-${process.pid}`, environment }));
  });
  afterAll(() => mock.dispose());
  return () => mock;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
