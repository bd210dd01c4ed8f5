/**
 * A client of nodes that are restarted one after the other: it prompts a session again and again, and follows it through a
 * stream that it resumes where it broke. It counts everything that was not as usual.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import { until } from "../../src/testkit/until.ts";
import { type DaemonClient, dataLines } from "../daemon-client.ts";

/** How often something happened. */
export type Counts = Record<string, number>;

const RETRY_MS = 100;

export class UpgradedClient {
  readonly #client: DaemonClient;
  readonly #session: string;
  readonly #reading = new AbortController();
  readonly #events: SessionEvent[] = [];
  readonly #following: Promise<void>;
  /** By what was asked and how it failed, such as `prompt: 503 shutting_down`. */
  readonly failures: Counts = {};
  #sent = 0;
  #resumed = 0;

  /** The session exists. */
  constructor(client: DaemonClient, session: string) {
    this.#client = client;
    this.#session = session;
    this.#following = this.#follow();
  }

  get counts(): { prompts: number; events: number; resumed: number } {
    return { prompts: this.#sent, events: this.#events.length, resumed: this.#resumed };
  }

  /** Prompts, and waits until the stream has the end of the turn. */
  async prompt(): Promise<void> {
    this.#sent += 1;
    const id = `${this.#session}-${this.#sent}`;
    const path = `/v1/sessions/${this.#session}/messages`;
    // The id makes it safe to repeat.
    await this.#repeat("prompt", () =>
      this.#client.request("POST", path, { id, text: "scenario:burst:100" }),
    );
    const ended = () => this.#events.filter(({ type }) => type === "turn.ended").length;
    await until(() => ended() >= this.#sent, 60_000);
  }

  /** The list of sessions, as a page loads it. */
  async read(): Promise<void> {
    await this.#repeat("read", () => this.#client.request("GET", "/v1/sessions"));
  }

  /** The stream had every event of the log once, and each prompt had one turn, which completed. */
  async expectNothingLost(): Promise<void> {
    const log = (await this.#client.events(this.#session)).map((json) => JSON.parse(json) as SessionEvent);
    await until(() => this.#events.length >= log.length);
    this.#reading.abort();
    await this.#following;
    expect(this.#events).toEqual(log);
    expect(checkLog(log, { complete: true })).toEqual([]);
    const accepted = log.filter(({ type }) => type === "prompt.accepted");
    expect(accepted).toHaveLength(this.#sent);
    const ended = log.filter((event): event is EventOf<"turn.ended"> => event.type === "turn.ended");
    expect(ended.map(({ outcome }) => outcome)).toEqual(accepted.map(() => "completed"));
  }

  /** Until it succeeds. */
  async #repeat(what: string, ask: () => Promise<Response>): Promise<void> {
    for (;;) {
      const failure = await ask().then(reasonOf, String);
      if (failure === undefined) return;
      this.#count(`${what}: ${failure}`);
      await sleep(RETRY_MS);
    }
  }

  async #follow(): Promise<void> {
    const { signal } = this.#reading;
    while (!signal.aborted) {
      const path = `/v1/sessions/${this.#session}/events/sse?after=${this.#events.length}`;
      try {
        const response = await this.#client.request("GET", path, undefined, signal);
        if (response.ok) for await (const line of dataLines(response)) this.#take(JSON.parse(line));
        else this.#count(`stream: ${await reasonOf(response)}`);
      } catch (error) {
        if (!signal.aborted) this.#count(`stream: ${(error as Error).message}`);
      }
      if (signal.aborted) return;
      this.#resumed += 1;
      await sleep(RETRY_MS);
    }
  }

  #take(event: SessionEvent): void {
    if (event.seq !== this.#events.length + 1) this.#count(`gap or repetition at ${event.seq}`);
    this.#events.push(event);
  }

  #count(what: string): void {
    this.failures[what] = (this.failures[what] ?? 0) + 1;
  }
}

/** Undefined where it succeeded. */
async function reasonOf(response: Response): Promise<string | undefined> {
  const text = await response.text();
  if (response.ok) return undefined;
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? "";
  return `${response.status} ${code}`.trim();
}
