/** A session that gets prompts again and again, and what was answered to them; and clients of every dialect that watch it. */
import { expect } from "vitest";
import { checkLog } from "../../../src/core/check-log.ts";
import type { EventOf, SessionEvent } from "../../../src/core/event.ts";
import { sessionUlid } from "../../../src/core/session-ulid.ts";
import type { Random } from "../../../src/testkit/random.ts";
import { SmithyWatcher } from "../../dialects/watchers/agentsmithy-watcher.ts";
import { AiSdkWatcher } from "../../dialects/watchers/ai-sdk-watcher.ts";
import { UnifiedWatcher } from "../../dialects/watchers/unified-watcher.ts";
import { V1Watcher } from "../../dialects/watchers/v1-watcher.ts";
import type { Watcher } from "../../dialects/watchers/watcher.ts";
import { type WanderingClient, WanderingSmithy } from "./wandering-client.ts";

const SCENARIOS = ["burst:200", "rich", "subagent", "retry", "echo-split wind and rain", "text and more"];

interface Receipt {
  readonly message: string;
  readonly seq: number;
}

export class PromptedSession {
  readonly id: string;
  readonly #client: WanderingClient;
  readonly #random: Random;
  readonly #receipts: Receipt[] = [];
  #sent = 0;
  readonly watchers: Watcher[] = [];

  constructor(id: string, client: WanderingClient, random: Random) {
    this.id = id;
    this.#client = client;
    this.#random = random;
  }

  async create(cwd: string): Promise<void> {
    const client = this.#client;
    const about = { id: this.id, agent: "mock", cwd, options: { pace: 0.1 } };
    const { createdAt } = await client.call<{ createdAt: number }>("POST", "/v1/sessions", about);
    const dialog = sessionUlid(this.id, createdAt);
    this.watchers.push(
      new V1Watcher(client, this.id),
      new AiSdkWatcher(client, this.id),
      new SmithyWatcher(new WanderingSmithy(client), { dialog, cwd }),
      new UnifiedWatcher(client, this.id, true),
    );
  }

  /** Resolves when somebody has accepted it, at whatever attempt. */
  async prompt(): Promise<void> {
    this.#sent += 1;
    const message = `${this.id}-${this.#sent}`;
    const text = `scenario:${this.#random.pick(SCENARIOS)} ${message}`;
    const receipt = await this.#client.prompt(this.id, text, message);
    expect(receipt.message).toBe(message);
    this.#receipts.push({ message, seq: receipt.seq });
  }

  async isIdle(): Promise<boolean> {
    const { status, queued } = await this.#client.call<{ status: string; queued: number }>(
      "GET",
      `/v1/sessions/${this.id}`,
    );
    // A prompt that nodes died with while they prepared it is held: a person lets it run.
    if (status === "idle" && queued > 0)
      await this.#client.call("POST", `/v1/sessions/${this.id}/queue/release`);
    return status === "idle" && queued === 0;
  }

  /** Everything that was promised holds of the log, and every watcher has understood what it says. */
  async expectWhole(): Promise<SessionEvent[]> {
    const log = await this.#readLog();
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, place) => place + 1));
    expect(checkLog(log, { complete: true })).toEqual([]);
    for (const { message, seq } of this.#receipts)
      expect(log[seq - 1], "what was acknowledged is where it was").toMatchObject({
        type: "prompt.accepted",
        message,
      });
    this.#expectPromptsOnce(log);
    await this.#expectSentOnce();
    for (const watcher of this.watchers) await watcher.finish(log);
    return log;
  }

  /** Each was accepted once, given to an agent at most once, and its turn has ended. */
  #expectPromptsOnce(log: readonly SessionEvent[]): void {
    const of = (type: "prompt.accepted" | "prompt.dispatched") =>
      log.filter((event): event is EventOf<typeof type> => event.type === type).map(({ message }) => message);
    const sent = Array.from({ length: this.#sent }, (_, n) => `${this.id}-${n + 1}`);
    expect(of("prompt.accepted").sort()).toEqual(sent.toSorted());
    expect(of("prompt.dispatched").sort()).toEqual(sent.toSorted());
    const turns = log.filter(({ type }) => type === "turn.started").length;
    const ended = log.filter((event): event is EventOf<"turn.ended"> => event.type === "turn.ended");
    expect(ended).toHaveLength(turns);
    const codes = ended.map(({ error }) => error?.code);
    for (const code of ["store_busy", "store_unavailable"])
      expect(codes, "a prompt waits while the database is away").not.toContain(code);
  }

  /** Nor do the lines to the agents have it twice. */
  async #expectSentOnce(): Promise<void> {
    const sent: string[] = [];
    for (let after = 0; ; ) {
      const path = `/v1/sessions/${this.id}/raw?limit=1000&after=${after}`;
      const page = await this.#client.call<{
        raws: { rawSeq: number; direction: string; data: unknown }[];
        hasMore: boolean;
      }>("GET", path);
      for (const { direction, data } of page.raws) if (direction === "out") sent.push(String(data));
      after = page.raws.at(-1)?.rawSeq ?? after;
      if (!page.hasMore) break;
    }
    for (let n = 1; n <= this.#sent; n += 1) {
      const lines = sent.filter((line) => line.includes(`"${this.id}-${n}"`));
      expect(lines.length, `lines with ${this.id}-${n}`).toBeLessThanOrEqual(1);
    }
  }

  async #readLog(): Promise<SessionEvent[]> {
    const log: SessionEvent[] = [];
    for (;;) {
      const path = `/v1/sessions/${this.id}/events?limit=1000&after=${log.length}`;
      const page = await this.#client.call<{ events: SessionEvent[]; hasMore: boolean }>("GET", path);
      log.push(...page.events);
      if (!page.hasMore) return log;
    }
  }
}
