/**
 * The life of two sessions as a client sees it, while something fails: prompts, an ask and its answer, tool outputs, enough
 * for a sealed block, pages, followers, a restart. The client does what a careful one does: it sends again what was not
 * acknowledged, and follows on after what it has. It notes all it was told, so that it can be compared with what is kept.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { ERROR_CODES } from "../../src/core/error.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonClient, dataLines } from "../daemon-client.ts";

export interface RunningDaemon {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

export const SESSIONS = ["a", "b"] as const;

const PATIENCE_MS = 20_000;

/** Reads a session's events again and again after what it has, whatever breaks. */
class Follower {
  /** Each event's JSON as it came, by its seq. */
  readonly lines: string[] = [];
  readonly #world: Scenario;
  readonly #session: string;
  readonly #stop = new AbortController();
  readonly #finished: Promise<void>;

  constructor(world: Scenario, session: string) {
    this.#world = world;
    this.#session = session;
    this.#finished = this.#follow();
  }

  get events(): SessionEvent[] {
    return this.lines.map((line) => JSON.parse(line));
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#finished;
  }

  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#read();
      } catch (error) {
        // The connection broke, or nobody listens just now. What else it may be is the test's business.
        if (!(error instanceof TypeError) && (error as Error).name !== "AbortError") {
          this.#world.complaints.push(String(error));
          return;
        }
      }
      await sleep(20);
    }
  }

  async #read(): Promise<void> {
    const path = `/v1/sessions/${this.#session}/events/sse?after=${this.lines.length}`;
    const response = await this.#world.client.request("GET", path, undefined, this.#stop.signal);
    if (!response.ok) return this.#world.expectProblem(response);
    for await (const line of dataLines(response)) {
      const { seq } = JSON.parse(line) as SessionEvent;
      if (seq !== this.lines.length + 1)
        this.#world.complaints.push(`${this.#session}: event ${seq} came after ${this.lines.length}`);
      this.lines.push(line);
    }
  }
}

export class Scenario {
  client!: DaemonClient;
  readonly followers = new Map<string, Follower>();
  /** What a daemon must never do, seen where nobody waits for it. */
  readonly complaints: string[] = [];
  /** The prompts that were answered with 202, with the session. */
  readonly acknowledged: { session: string; message: string }[] = [];
  readonly #start: () => Promise<RunningDaemon>;
  #daemon: RunningDaemon | undefined;

  /** `start` is called for each start. It may reject, as a daemon may refuse to start: then it is called again. */
  constructor(start: () => Promise<RunningDaemon>) {
    this.#start = start;
  }

  async play(): Promise<void> {
    await this.#begin();
    for (const session of SESSIONS) {
      await this.send("POST", "/v1/sessions", { id: session, agent: "mock", options: { pace: 0 } });
      this.followers.set(session, new Follower(this, session));
    }
    await Promise.all([this.#turnWithAsk("a", "u1"), this.#turn("b", "u1", "scenario:rich")]);
    await Promise.all([
      this.#turn("a", "u2", "scenario:burst:1200"),
      this.#turn("b", "u2", "scenario:huge:1"),
    ]);
    await this.#readPages();
    await this.restart();
    await this.#readPages();
    await Promise.all(SESSIONS.map((session) => this.#turn(session, "u3", "scenario:recall")));
    await this.send("POST", "/v1/sessions/a/rewind", { before: "u3" });
    await this.send("PATCH", "/v1/sessions/b", { title: "renamed" });
  }

  async restart(): Promise<void> {
    await this.close();
    await this.#begin();
  }

  async close(): Promise<void> {
    await this.#daemon?.close();
    this.#daemon = undefined;
  }

  async end(): Promise<void> {
    await Promise.all([...this.followers.values()].map((follower) => follower.stop()));
    await this.close();
  }

  async #begin(): Promise<void> {
    let refusals = 0;
    while (!this.#daemon) {
      try {
        this.#daemon = await this.#start();
      } catch (error) {
        refusals += 1;
        expect((error as Error).message).not.toBe("");
        if (refusals > 20) throw error;
      }
    }
    this.client = new DaemonClient(this.#daemon);
  }

  /** Sends it until it is answered with success, or with a refusal that says it is no longer to be done. */
  async send(method: string, path: string, body?: unknown): Promise<Response> {
    let response: Response | undefined;
    await until(async () => {
      response = await this.client.request(method, path, body);
      if (response.ok) return true;
      await this.expectProblem(response.clone());
      return response.status < 500 && response.status !== 429;
    }, PATIENCE_MS).catch(async (error) => {
      const last = `${response?.status} ${await response?.text()}`;
      throw new Error(`${method} ${path} is not answered but with ${last}`, { cause: error });
    });
    return response!;
  }

  /** Every refusal is a problem document with a code of the table; to chats it is a sentence, with the code in a header. */
  async expectProblem(response: Response): Promise<void> {
    const text = await response.text();
    const chatCode = response.headers.get("x-interlingua-error");
    const type = chatCode === null ? response.headers.get("content-type") : "application/problem+json";
    const code = chatCode ?? /"code":"(\w+)"/.exec(text)?.[1] ?? "";
    const known = Object.hasOwn(ERROR_CODES, code) && ERROR_CODES[code as keyof typeof ERROR_CODES];
    // Health says so itself, until what could not be read is read again.
    const isHealth = response.status === 503 && text.startsWith('{"status":"failing"');
    const isProblem = type === "application/problem+json" && known && known.status === response.status;
    const isDefined = isProblem || isHealth;
    // A failure that concerns one session is told as such.
    const isVague = code === "internal" && new URL(response.url).pathname.startsWith("/v1/sessions/");
    if (!isDefined || isVague) this.complaints.push(`${response.url} answered ${response.status} ${text}`);
  }

  async #prompt(session: string, id: string, text: string): Promise<number> {
    const response = await this.send("POST", `/v1/sessions/${session}/messages`, { id, text });
    if (!response.ok) return Promise.reject(new Error(`${response.status} ${await response.text()}`));
    this.acknowledged.push({ session, message: id });
    return ((await response.json()) as { seq: number }).seq;
  }

  async #turn(session: string, id: string, text: string): Promise<void> {
    const seq = await this.#prompt(session, id, text);
    await this.#seen(session, seq, "turn.ended");
  }

  async #turnWithAsk(session: string, id: string): Promise<void> {
    const seq = await this.#prompt(session, id, "scenario:approve");
    const next = await this.#seen(session, seq, "ask.opened", "turn.ended");
    if (next.type === "ask.opened") {
      await this.send("POST", `/v1/sessions/${session}/asks/${next.ask}/reply`, { reply: "once" });
      await this.#seen(session, seq, "turn.ended");
    }
  }

  /** The first event of one of these types after `seq`. */
  async #seen(session: string, seq: number, ...types: SessionEvent["type"][]): Promise<SessionEvent> {
    let found: SessionEvent | undefined;
    let looked = Date.now();
    await until(async () => {
      // A session that was given up is read again when somebody asks for it.
      if (Date.now() - looked > 1000) {
        looked = Date.now();
        await this.send("GET", `/v1/sessions/${session}`);
      }
      found = this.followers
        .get(session)!
        .events.slice(seq)
        .find(({ type }) => types.includes(type));
      return found !== undefined;
    }, PATIENCE_MS).catch(async (error) => {
      const last = this.followers.get(session)!.lines.slice(-4).join("\n");
      const view = await (await this.send("GET", `/v1/sessions/${session}`)).text();
      throw new Error(`${session} has no ${types} after ${seq}: ${view}\n${last}`, { cause: error });
    });
    return found!;
  }

  async #readPages(): Promise<void> {
    for (const session of SESSIONS) {
      const path = `/v1/sessions/${session}`;
      await this.send("GET", `${path}/events?limit=1000`);
      await this.send("GET", `${path}/events?after=900&limit=1000&include=raw`);
      await this.send("GET", `${path}/raw?limit=1000`);
      const page = await this.send("GET", `${path}/messages`);
      const { messages } = (await page.json()) as { messages: { id: string }[] };
      for (const { id } of messages) {
        await this.send("GET", `${path}/messages/${id}?include=raw,result`);
        await this.send("GET", `/api/chat/${session}/messages/${id}?include=chunks`);
      }
      await this.send("GET", path);
    }
    for (const path of ["/v1/sessions?search=scenario", "/v1/asks", "/v1/usage", "/v1/health"])
      await this.send("GET", path);
  }
}
