/** A node of a chaos run of daemons: killed, stopped and started again on its data directory, behind a proxy of its own. */
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../../../src/testkit/eventually.ts";
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
/** For a node that is frozen. */
const ANSWER_MS = 2000;
const FAULTS = ["kill", "stop", "stop", "cut", "stall", "hold", "swallow", "swallow"] as const;
const REFUSED = /^interlingua_appends_refused_total (\d+)$/m;

export class ChaosDaemon {
  readonly #options: ChaosDaemonOptions;
  #node: TestNode | undefined;
  /** Appends of this process that were refused and are counted. */
  #refused = 0;

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
        await sleep(100);
      }
    }
  }

  /** One fault, after which it is as it was. */
  async hurt(): Promise<void> {
    const { random, count, proxy } = this.#options;
    const fault = random.pick(FAULTS);
    count(fault);
    const ms = this.#duration();
    if (fault === "kill") return this.#restart(random.chance(0.5) ? 0 : ms);
    if (fault === "stop") {
      this.#node?.kill("SIGSTOP");
      await sleep(ms);
      this.#node?.kill("SIGCONT");
    } else if (fault === "cut") {
      proxy.refuses = random.chance(0.5);
      proxy.cut();
      if (proxy.refuses) await sleep(ms);
      proxy.refuses = false;
    } else if (fault === "stall") {
      proxy.stalls = true;
      await sleep(ms);
      proxy.stalls = false;
    } else if (fault === "hold") await this.#hold();
    else await this.#swallow(ms);
    await this.#countRefused();
  }

  /** An append arrives when the claim of its node is gone. */
  async #hold(): Promise<void> {
    const { proxy, leaseMs } = this.#options;
    proxy.stallsAt = "append_";
    const deadline = performance.now() + leaseMs;
    await until(() => proxy.stalls || performance.now() > deadline);
    proxy.stallsAt = undefined;
    if (proxy.stalls) await sleep(2.5 * leaseMs);
    proxy.stalls = false;
  }

  /** How many appends the database refused because another node had claimed the session. */
  async #countRefused(): Promise<void> {
    const node = this.#node;
    const metrics = await node?.client
      .request("GET", "/metrics", undefined, AbortSignal.timeout(ANSWER_MS))
      .then((response) => response.text())
      .catch(() => "");
    const refused = Number(REFUSED.exec(metrics ?? "")?.[1] ?? 0);
    for (let left = refused - this.#refused; left > 0 && node === this.#node; left -= 1)
      this.#options.count("appends refused");
    this.#refused = Math.max(refused, this.#refused);
  }

  /** Shorter than a lease as often as longer. */
  #duration(): number {
    const { random, leaseMs } = this.#options;
    return random.chance(0.5) ? random.integer(50, leaseMs) : random.integer(leaseMs, 2 * leaseMs);
  }

  async #restart(afterMs: number): Promise<void> {
    const node = this.#node;
    this.#node = undefined;
    this.#refused = 0;
    node?.kill("SIGKILL");
    await node?.ended;
    await sleep(afterMs);
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
