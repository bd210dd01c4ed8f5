/** A node of a chaos run of daemons: killed, stopped and started again on its data directory, behind a proxy of its own. */
import { setTimeout as pause } from "node:timers/promises";
import { eventually } from "../../../src/cli/test-support.ts";
import type { Random } from "../../../src/testkit/random.ts";
import { until } from "../../../src/testkit/until.ts";
import type { FlakyProxy } from "../flaky-proxy.ts";
import { startNode, type TestNode, type TestNodeOptions } from "../start-node.ts";
import type { NodeAccess } from "./wandering-client.ts";

export interface ChaosDaemonOptions extends TestNodeOptions {
  leaseMs: number;
  proxy: FlakyProxy;
  random: Random;
  count(what: string): void;
}

const MAX_STARTS = 30;

export class ChaosDaemon {
  readonly #options: ChaosDaemonOptions;
  #node: TestNode | undefined;

  constructor(options: ChaosDaemonOptions) {
    this.#options = options;
  }

  /** Undefined while it is started. */
  get access(): NodeAccess | undefined {
    return this.#node?.client;
  }

  /** Tried again a while: the database may be away. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#node = await startNode(this.#options);
        return;
      } catch (error) {
        if (attempt === MAX_STARTS) throw error;
        await pause(100);
      }
    }
  }

  /** One fault, after which it is as it was. */
  async hurt(): Promise<void> {
    const { random, count, proxy } = this.#options;
    const fault = random.pick(["kill", "stop", "stop", "cut", "stall", "swallow", "swallow"] as const);
    count(fault);
    const ms = this.#duration();
    if (fault === "kill") return this.#restart(random.chance(0.5) ? 0 : ms);
    if (fault === "stop") {
      this.#node?.kill("SIGSTOP");
      await pause(ms);
      this.#node?.kill("SIGCONT");
    } else if (fault === "cut") {
      proxy.refuses = random.chance(0.5);
      proxy.cut();
      if (proxy.refuses) await pause(ms);
      proxy.refuses = false;
    } else if (fault === "stall") {
      proxy.stalls = true;
      await pause(ms);
      proxy.stalls = false;
    } else await this.#swallow(ms);
  }

  /** Shorter than a lease as often as longer. */
  #duration(): number {
    const { random, leaseMs } = this.#options;
    return random.chance(0.5) ? random.integer(50, leaseMs) : random.integer(leaseMs, 2 * leaseMs);
  }

  async #restart(afterMs: number): Promise<void> {
    const node = this.#node;
    this.#node = undefined;
    node?.kill("SIGKILL");
    await node?.ended;
    await pause(afterMs);
    await this.start();
  }

  /** Answers are lost after a commit, or to whoever reads a log; then the connection, too. */
  async #swallow(ms: number): Promise<void> {
    const { proxy, random, count } = this.#options;
    const before = proxy.swallowed;
    proxy.swallowsAfter = random.pick(["append_", "select_events"]);
    const deadline = performance.now() + ms;
    await until(() => proxy.swallowed > before || performance.now() > deadline);
    if (proxy.swallowed > before) count("answers swallowed");
    proxy.swallowsAfter = undefined;
    proxy.cut();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const node = this.#node;
    node?.kill("SIGKILL");
    await node?.ended;
    await this.#options.proxy[Symbol.asyncDispose]();
    // Their reapers end them.
    if (node) await eventually("its agents are gone", async () => (await node.agents()).length === 0);
  }
}
