/** For tests: adapters for the made-up agent of the test kit, in a directory of its own, and nothing left behind. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { BackendAdapter } from "../../core/adapter.ts";
import { checkLog } from "../../core/check-log.ts";
import type { FoundProgram, Programs } from "../../core/program.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import {
  type MisbehavingAcpAgentOptions,
  misbehavingAcpAgent,
} from "../../testkit/misbehaving-acp-agent/index.ts";
import { type RunOptions, type SessionRun, startRun } from "../../testkit/session-run.ts";
import type { AgentMeans } from "../transport/define-protocol.ts";
import { protocolOf } from "./protocol.ts";

const MADE_UP = protocolOf({
  name: "made-up",
  title: "Made-up",
  program: { executable: "made-up" },
  args: [],
  environmentKeys: ["NODE_COMPILE_CACHE"],
  signIn: "Set AGENT_KEY.",
});

export class MadeUpAgent {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-acp-test-")));
  readonly daemonId = `acp-test-${randomUUID()}`;
  readonly host: ProcessHost = createProcessHost({ daemonId: this.daemonId, environment: process.env });

  adapter(
    program: MisbehavingAcpAgentOptions | FoundProgram = {},
    means: Partial<AgentMeans> = {},
  ): BackendAdapter {
    const found: FoundProgram =
      "from" in program
        ? program
        : { ...misbehavingAcpAgent({ memory: this.directory, ...program }), from: "config" };
    return MADE_UP.createAdapter({
      processHost: this.host,
      programs: onlyFinds(found),
      environment: () => process.env,
      directory: () => this.directory,
      ...means,
    });
  }

  start(options: Partial<RunOptions> = {}): Promise<SessionRun> {
    return startRun({ adapter: this.adapter(), cwd: this.directory, ...options });
  }

  /** Plays one prompt to the end of its turn, and checks the log. */
  async play(prompt: string, options: Partial<RunOptions> = {}): Promise<SessionRun> {
    const run = await this.start(options);
    await run.turn(prompt);
    await expectSound(run);
    return run;
  }

  async dispose(): Promise<void> {
    await this.host.close();
    rmSync(this.directory, { recursive: true });
  }
}

/** Closes the run: then the log is complete and the process gone. */
export async function expectSound(run: SessionRun): Promise<void> {
  expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  expect(isAlive(run.pid)).toBe(false);
}

/** Call it at the top of a suite. */
export function withMadeUpAgent(): () => MadeUpAgent {
  let agent: MadeUpAgent;
  beforeAll(() => {
    agent = new MadeUpAgent();
  });
  afterAll(() => agent.dispose());
  return () => agent;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function onlyFinds(program: FoundProgram): Programs {
  return {
    find: async () => program,
    install: async () => {
      throw new Error("nothing is installed in these tests");
    },
  };
}
