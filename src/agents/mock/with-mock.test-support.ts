/** For tests: the mock as the daemon has it, in directories of its own, and nothing left when the tests are over. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { BackendAdapter } from "../../core/adapter.ts";
import type { AskAnswer } from "../../core/ask.ts";
import { checkLog } from "../../core/check-log.ts";
import type { EventOf } from "../../core/event.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { type RunOptions, type SessionRun, startRun } from "../../testkit/session-run.ts";
import { agentContext } from "../agent-context.test-support.ts";
import { createAgents } from "../registry.ts";

/** Tests start the program often. */
const COMPILE_CACHE = resolve("node_modules/.cache/node-compile-cache");

export class Mock {
  readonly directory = mkdtempSync(join(tmpdir(), "interlingua-mock-test-"));
  readonly #host: ProcessHost;
  readonly adapter: BackendAdapter;

  constructor(host: ProcessHost) {
    this.#host = host;
    this.adapter = createAgents(agentContext(host, this.directory)).get("mock")!;
  }

  start(options: Partial<RunOptions> = {}): Promise<SessionRun> {
    return startRun({ adapter: this.adapter, cwd: this.directory, adapterOptions: { pace: 0 }, ...options });
  }

  /** Plays one prompt to the end of its turn, with every ask allowed unless `answer` says otherwise, and checks the log. */
  async play(prompt: string, options: Partial<RunOptions> = {}): Promise<SessionRun> {
    const run = await this.start({ answer: allow, ...options });
    await run.turn(prompt);
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    return run;
  }

  async dispose(): Promise<void> {
    await this.#host.close();
    rmSync(this.directory, { recursive: true });
  }
}

/** Says yes to every ask. */
export function allow({ kind }: EventOf<"ask.opened">): AskAnswer {
  if (kind === "question") return { answers: { q1: ["Green"] } };
  return { option: kind === "plan" ? "approve" : "allow" };
}

/** Says no to every ask. */
export function deny({ kind }: EventOf<"ask.opened">): AskAnswer {
  return { option: kind === "permission" ? "deny" : "reject", message: "not now" };
}

/** Call it at the top of a suite; the mock is there once the tests run. */
export function withMock(): () => Mock {
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
