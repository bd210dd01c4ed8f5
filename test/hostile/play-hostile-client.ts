/**
 * A client that sends anything to every route: no answer is a failure nobody planned for, what is refused changes nothing,
 * and the daemon goes on.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/core/error.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { startDaemon } from "../../src/daemon.ts";
import { agentSmithy } from "../../src/dialects/agentsmithy/dialect.ts";
import { DEFAULT_SERVER_LIMITS } from "../../src/server/limits.ts";
import { HostileJson } from "../../src/testkit/hostile-agent/index.ts";
import type { Random } from "../../src/testkit/random.ts";
import { until } from "../../src/testkit/until.ts";
import { temporaryDirectory } from "../crash/daemon-process.ts";
import { DaemonClient } from "../daemon-client.ts";
import { BROKEN_REQUESTS, sendBytes } from "./broken-requests.ts";
import { type DrawnRequest, type OpenApi, RouteRequests, routesOf } from "./route-requests.ts";
import type { Pool } from "./schema-sample.ts";

/** What a daemon may say when a request is good and the world is not. */
const PLANNED_FAILURES: readonly ErrorCode[] = ["agent_failed", "install_failed"];

/** What every route takes; some take more. */
const MAX_BODY_BYTES = DEFAULT_SERVER_LIMITS.maxSettingsBytes;

const OWN_SESSIONS = ["one", "two", "three"];

/** The events that only a client can cause. */
const BY_CLIENTS: ReadonlySet<SessionEvent["type"]> = new Set<SessionEvent["type"]>([
  "session.created",
  "session.closed",
  "prompt.accepted",
  "prompt.changed",
  "prompt.moved",
  "prompt.held",
  "prompt.withdrawn",
  "ask.answered",
  "turn.stopping",
  "task.stopping",
  "conversation.rewound",
]);

interface Seen {
  id: string;
  head: number;
  status: string;
  queued: number;
}

interface Answer {
  status: number;
  type: string;
  code?: string;
  text: string;
}

export interface HostileClientOptions {
  /** How often each route is called. */
  rounds: number;
  maxBytes: number;
}

export async function playHostileClient(random: Random, options: HostileClientOptions): Promise<void> {
  await using directory = await temporaryDirectory();
  const daemon = await startDaemon({
    data: directory.path,
    port: 0,
    roots: [directory.path],
    limits: { requestsPerSecond: 1_000_000, requestBurst: 1_000_000, stopGraceMs: 200 },
  });
  try {
    const run = new HostileClientRun(new DaemonClient(daemon), random, options, directory.path);
    await run.begin();
    await run.everyRoute();
    await run.brokenRequests();
    await run.repeatedAtOnce();
    await run.end();
  } finally {
    await daemon.close();
  }
}

class HostileClientRun {
  readonly #client: DaemonClient;
  readonly #random: Random;
  readonly #options: HostileClientOptions;
  readonly #root: string;
  #calm: string[] = [];

  constructor(client: DaemonClient, random: Random, options: HostileClientOptions, root: string) {
    this.#client = client;
    this.#random = random;
    this.#options = options;
    this.#root = root;
  }

  /** A session that nobody means, and what it has to say. */
  async begin(): Promise<void> {
    await this.#client.call("POST", "/v1/sessions", { id: "calm", agent: "mock", options: { pace: 0 } });
    await this.#client.prompt("calm", "scenario:rich");
    await until(async () => {
      this.#calm = await this.#client.events("calm");
      return this.#calm.at(-1)!.includes('"turn.ended"');
    });
  }

  async everyRoute(): Promise<void> {
    const document = await this.#client.call<OpenApi>("GET", "/v1/openapi.json");
    const json = new HostileJson(this.#random, this.#options.maxBytes);
    const requests = new RouteRequests(this.#random, json, document);
    const routes = routesOf(document);
    let before = await this.#state();
    for (let round = 0; round < this.#options.rounds; round += 1) {
      await this.#keepSessions();
      const pool = await this.#pool();
      before = await this.#settled();
      for (const route of routes) {
        const request = requests.draw(route, pool);
        const answer = await this.#send(request).catch((error) => brokenOff(request, error));
        expectPlanned(request, answer);
        if (answer.status < 400) before = await this.#settled();
        else before = await this.#expectUnchanged(before, describe(request, answer));
      }
    }
  }

  async brokenRequests(): Promise<void> {
    const before = await this.#settled();
    for (const [name, text] of Object.entries(BROKEN_REQUESTS)) {
      const answer = await sendBytes(text, this.#client);
      const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
      expect(
        statuses.filter((status) => status >= 500 && status !== 501),
        name,
      ).toEqual([]);
      for (const [, code] of answer.matchAll(/"code":"(\w+)"/g))
        expect(Object.keys(ERROR_CODES), name).toContain(code);
      expect((await this.#client.request("GET", "/v1/health")).status, name).toBe(200);
    }
    await this.#expectUnchanged(before, "broken requests");
  }

  /** A request sent many times at once does what it does once. */
  async repeatedAtOnce(): Promise<void> {
    const all = <Result>(act: () => Promise<Result>) => Promise.all(Array.from({ length: 20 }, act));
    const make = { id: "at-once", agent: "mock", options: { pace: 0 } };
    const made = await all(() => this.#client.request("POST", "/v1/sessions", make));
    expect(made.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    await all(() => this.#client.prompt("at-once", "scenario:text", "same"));
    await this.#settled();
    const log = (await this.#client.events("at-once")).map((line) => JSON.parse(line) as SessionEvent);
    expect(log.filter(({ type }) => type === "prompt.accepted")).toHaveLength(1);
    const gone = await all(() => this.#client.request("DELETE", "/v1/sessions/at-once"));
    expect(gone.filter(({ status }) => status === 204).length).toBeGreaterThan(0);
    expect(gone.filter(({ status }) => status >= 500)).toEqual([]);
  }

  async end(): Promise<void> {
    await this.#settled();
    expect(await this.#client.events("calm")).toEqual(this.#calm);
    expect((await this.#client.request("GET", "/v1/health")).status).toBe(200);
    const { sessions } = await this.#client.call<{ sessions: { id: string }[] }>(
      "GET",
      "/v1/sessions?limit=500",
    );
    for (const { id } of sessions) {
      const log = (await this.#client.events(id)).map((line) => JSON.parse(line) as SessionEvent);
      expect(checkLog(log)).toEqual([]);
    }
  }

  async #send({ method, path, headers, body }: DrawnRequest): Promise<Answer> {
    const controller = new AbortController();
    const response = await fetch(this.#client.url + path, {
      method,
      headers: { ...headers, authorization: `Bearer ${this.#client.token}` },
      ...(body !== undefined && method !== "GET" && { body }),
      signal: controller.signal,
    });
    const type = response.headers.get("content-type") ?? "";
    const isStream = type.startsWith("text/event-stream");
    const text = isStream ? "" : await response.text();
    // Most clients stay; this one leaves as soon as it has an answer.
    controller.abort();
    const code = response.headers.get("x-interlingua-error") ?? /"code":"(\w+)"/.exec(text)?.[1];
    return { status: response.status, type, text, ...(code !== undefined && { code }) };
  }

  /** The client deletes and closes sessions too. */
  async #keepSessions(): Promise<void> {
    for (const id of OWN_SESSIONS) {
      const body = { agent: "mock", options: { pace: 0 } };
      await this.#client.request("POST", `/v1/sessions/${id}`, body);
    }
    await this.#client.request("POST", "/v1/sessions/one/messages", { text: "scenario:approve" });
  }

  /** Names of what there is, so that many requests mean something. */
  async #pool(): Promise<Pool> {
    const { asks } = await this.#client.call<{ asks: { ask: string }[] }>("GET", "/v1/asks");
    const messages = ["u1", "u2"];
    return {
      ...{ id: OWN_SESSIONS, session: OWN_SESSIONS, sessionId: OWN_SESSIONS },
      ask: asks.map(({ ask }) => ask),
      ...{ message: messages, before: messages, messageId: messages },
      agent: ["mock"],
      cwd: [this.#root],
      text: ["scenario:text", "scenario:approve", "scenario:question"],
      after: ["0", "1"],
      url: ["data:text/plain,a"],
      // What may be installed is not for a test to install.
      install: ["never"],
    };
  }

  /** Nothing was written since but what agents do by themselves, such as leaving. Gives the state as it is now. */
  async #expectUnchanged(before: readonly Seen[], after: string): Promise<Seen[]> {
    const now = await this.#state();
    const names = (state: readonly Seen[]) => state.map(({ id }) => id);
    expect(names(now), `refused, and yet: ${after}`).toEqual(names(before));
    for (const [index, { id, head }] of now.entries()) {
      if (head === before[index]!.head) continue;
      const path = `/v1/sessions/${id}/events?limit=1000&after=${before[index]!.head}`;
      const { events } = await this.#client.call<{ events: SessionEvent[] }>("GET", path);
      const made = events.filter(({ type }) => BY_CLIENTS.has(type));
      expect(made, `refused, and yet: ${after}`).toEqual([]);
    }
    return now;
  }

  /** All sessions with how far their logs have come. */
  async #state(): Promise<Seen[]> {
    const list = () => this.#client.call<{ sessions: Seen[] }>("GET", "/v1/sessions?limit=500");
    // The connection may be one that was closed because of the body before.
    const { sessions } = await list().catch(list);
    return sessions
      .map(({ id, head, status, queued }) => ({ id, head, status, queued }))
      .sort((a, b) => a.id.localeCompare(b.id));
  }

  /** The state when nothing moves any more; turns that take long are stopped. */
  async #settled(): Promise<Seen[]> {
    let last = "";
    let looks = 0;
    let state: Seen[] = [];
    await until(async () => {
      state = await this.#state();
      const text = JSON.stringify(state);
      looks = text === last ? looks + 1 : 0;
      last = text;
      const isMoving = state.some(
        ({ status, queued }) => status === "running" || (status === "idle" && queued > 0),
      );
      if (!isMoving && looks > 0) return true;
      if (looks === 10)
        for (const { id } of state.filter(({ status }) => status === "running"))
          await this.#client.request("POST", `/v1/sessions/${id}/interrupt`);
      await sleep(isMoving ? 10 : 1);
      // A prompt may wait for values that nobody gives.
      return looks > 100;
    }, 60_000);
    return state;
  }
}

/** A body that is too large is not read to its end, so the client may find the connection closed before it has the answer. */
function brokenOff(request: DrawnRequest, error: unknown): Answer {
  const bytes = Buffer.byteLength(request.body ?? "");
  const answer = {
    status: 413,
    type: "application/problem+json",
    code: "body_too_large",
    text: String(error),
  };
  if (bytes <= MAX_BODY_BYTES)
    throw new Error(`broke off at ${bytes} bytes: ${describe(request, answer)}`, { cause: error });
  return answer;
}

/** Every answer is a success, or a refusal with a code of the table that has this status. */
function expectPlanned(request: DrawnRequest, answer: Answer): void {
  if (answer.status < 400 || isRefusalOfDialect(request, answer)) return;
  const known = answer.code !== undefined && Object.hasOwn(ERROR_CODES, answer.code);
  // What cannot be read as HTTP has a status of HTTP's own: a head that is too large.
  const isOfTable = known && [ERROR_CODES[answer.code as ErrorCode].status, 431].includes(answer.status);
  const isPlanned = answer.status < 500 || PLANNED_FAILURES.includes(answer.code as ErrorCode);
  const isTyped = /^(application\/problem\+json|text\/plain)/.test(answer.type);
  if (!isOfTable || !isPlanned || !isTyped) throw new Error(describe(request, answer));
}

/** AgentSmithy's clients get a `detail` without a code, with a status of the table. */
function isRefusalOfDialect({ path }: DrawnRequest, { status, type, text }: Answer): boolean {
  if (!path.startsWith(`${agentSmithy.path}/`) || !type.startsWith("application/json")) return false;
  const codes = status < 500 ? (Object.keys(ERROR_CODES) as ErrorCode[]) : PLANNED_FAILURES;
  return codes.some((code) => ERROR_CODES[code].status === status) && "detail" in JSON.parse(text);
}

function describe({ method, path, headers, body }: DrawnRequest, { status, text }: Answer): string {
  const sent = `${method} ${path.slice(0, 500)} ${JSON.stringify(headers).slice(0, 300)} ${body?.slice(0, 1000)}`;
  return `${sent}\nanswered ${status} ${text.slice(0, 500)}`;
}
