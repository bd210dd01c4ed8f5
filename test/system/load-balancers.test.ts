/** The files of deploy/ for load balancers, in the real programs before three real nodes. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionEvent } from "../../src/core/event.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { createSession, untilAsked } from "../cluster/node-sessions.ts";
import { type DaemonClient, dataLines } from "../daemon-client.ts";
import { answeringNodes, REQUEST_PAUSE_MS, untilAnswering } from "./answering-nodes.ts";
import type { Balancer } from "./balancer.ts";
import { findSystemProgram, SYSTEM_PROGRAMS } from "./system-program.ts";
import { ThreeNodes } from "./three-nodes.ts";

const found = SYSTEM_PROGRAMS.map((name) => ({ name, program: findSystemProgram(name) }));

describe.skipIf(found.every(({ program }) => program === undefined))("before three nodes", () => {
  let cluster: ThreeNodes;

  beforeAll(async () => {
    cluster = await ThreeNodes.start();
  });

  afterAll(() => cluster?.[Symbol.asyncDispose]());

  describe.each(found)("$name", ({ name, program }) => {
    let balancer: Balancer;
    let client: DaemonClient;

    beforeAll(async () => {
      if (program === undefined) return;
      balancer = await cluster.startBalancer(name, program);
      client = cluster.clientOf(balancer.url);
      await untilAnswering(client, 3);
    });

    test.skipIf(!program)("events of a turn that waits arrive through a stream and a WebSocket", async () => {
      const session = `${name}-events`;
      await createSession({ client }, session);
      const stream = new Stream(client, session);
      const socket = client.openSocket(`/v1/sessions/${session}/unified`);
      const messages: string[] = [];
      socket.on("message", (data) => messages.push(String(data)));
      await once(socket, "open");
      await client.prompt(session, "scenario:approve");
      const ask = await untilAsked({ client }, session);
      await eventually("the ask in the stream", () => stream.has("ask.opened"));
      await eventually("the ask in the socket", () => messages.some((text) => text.includes(ask)));
      expect(stream.has("turn.ended")).toBe(false);
      await client.call("POST", `/v1/sessions/${session}/asks/${ask}/reply`, { reply: "once" });
      await eventually("the end in the stream", () => stream.has("turn.ended"));
      expect(stream.failure).toBeUndefined();
      stream.close();
      socket.close();
    });

    test.skipIf(!program)(
      "a client that provokes 503s and broken uploads does not disturb others",
      async () => {
        const fourth = await cluster.startFourth();
        await createSession(fourth, `${name}-pinned`);
        await fourth.node.end();
        const files = `/v1/sessions/${name}-pinned/files?search=x`;
        await eventually(
          "its files are unreachable",
          async () => (await client.request("GET", files)).status === 503,
        );
        const tooLarge = { agent: "mock", title: "x".repeat(3_000_000) };
        const [provoked, , others, prompts] = await Promise.all([
          repeat(40, () => client.request("GET", files)),
          repeat(15, async (n) => {
            // A node answers in the middle of such an upload, and the client may miss that.
            if (n % 2 === 0) await client.request("POST", "/v1/sessions", tooLarge).catch(() => {});
            await breakUpload(client);
            return undefined;
          }),
          repeat(80, () => client.request("GET", "/v1/sessions")),
          repeat(20, (n) =>
            client.request("POST", "/v1/sessions", { id: `${name}-other-${n}`, agent: "mock" }),
          ),
        ]);
        expect({ provoked, others, prompts }).toEqual({
          provoked: { 503: 40 },
          others: { 200: 80 },
          prompts: { 201: 20 },
        });
        expect(await repeat(20, () => client.request("GET", "/v1/agents"))).toEqual({ 200: 20 });
      },
    );

    test.skipIf(!program || name !== "haproxy" || process.platform !== "linux")(
      "a client that guesses tokens is refused, and no other",
      async () => {
        const statuses: number[] = [];
        for (let n = 0; n < 60; n += 1) statuses.push(await guessToken(balancer));
        expect(statuses.slice(0, 50)).toEqual(Array(50).fill(401));
        expect(statuses.at(-1)).toBe(429);
        expect(await repeat(20, () => client.request("GET", "/v1/sessions"))).toEqual({ 200: 20 });
      },
    );

    test.skipIf(!program)("after kill -9 of a node only requests that it had fail", async () => {
      const [, killed] = cluster.nodes;
      let isOver = false;
      const clients = Array.from({ length: 4 }, () =>
        repeatUntil(
          () => isOver,
          () => client.request("GET", "/v1/sessions"),
        ),
      );
      const gone = once(killed!.node.process, "exit");
      killed!.node.process.kill("SIGKILL");
      await gone;
      const later = await repeat(60, () => client.request("GET", "/v1/sessions"));
      isOver = true;
      const counts = await Promise.all(clients);
      console.log(`${name}, kill -9 of a node: ${JSON.stringify(counts)}`);
      expect(later).toEqual({ 200: 60 });
      for (const { 200: _, 502: failed = 0, [NO_ANSWER]: broken = 0, ...rest } of counts) {
        expect(rest).toEqual({});
        expect(failed + broken).toBeLessThanOrEqual(1);
      }
      await killed!.node.start();
      await untilAnswering(client, 3);
    });

    test.skipIf(!program)(
      "a node that drains gets nothing new, and finishes its turns and streams",
      async () => {
        const session = `${name}-drained`;
        await createSession({ client }, session);
        const owner = await ownerOf(client, session);
        const draining = cluster.nodes.find(({ node }) => node.name === owner)!;
        const streams = [
          new Stream(client, session),
          new Stream(client, session),
          new Stream(client, session),
        ];
        await client.prompt(session, "scenario:approve");
        const ask = await untilAsked({ client }, session);
        const ended = once(draining.node.process, "exit");
        draining.node.process.kill("SIGTERM");
        let isOver = false;
        const load = repeatUntil(
          () => isOver,
          () => client.request("GET", "/v1/sessions"),
        );
        await eventually(
          "the balancer leaves it out",
          async () => !(await answeringNodes(client, 30)).has(owner),
        );
        await client.call("POST", `/v1/sessions/${session}/asks/${ask}/reply`, { reply: "once" });
        for (const stream of streams) await eventually("the turn's end", () => stream.has("turn.ended"));
        await ended;
        isOver = true;
        expect(Object.keys(await load)).toEqual(["200"]);
        for (const stream of streams) stream.close();
        await draining.node.start();
        await untilAnswering(client, 3);
      },
    );
  });
});

/** Events of a session from the beginning. */
class Stream {
  readonly #events: SessionEvent[] = [];
  readonly #reading = new AbortController();
  failure: unknown;

  constructor(client: DaemonClient, session: string) {
    const path = `/v1/sessions/${session}/events/sse`;
    void (async () => {
      const response = await client.request("GET", path, undefined, this.#reading.signal);
      for await (const line of dataLines(response)) this.#events.push(JSON.parse(line));
    })().catch((error) => {
      if (!this.#reading.signal.aborted) this.failure = error;
    });
  }

  has(type: SessionEvent["type"]): boolean {
    return this.#events.some((event) => event.type === type);
  }

  close(): void {
    this.#reading.abort();
  }
}

/** How often each status came. */
type Counts = Record<number, number>;

async function repeatUntil(
  isOver: () => boolean,
  ask: (n: number) => Promise<Response | undefined>,
): Promise<Counts> {
  const counts: Counts = {};
  for (let n = 0; !isOver(); n += 1) {
    const status = await ask(n).then(statusOf, () => NO_ANSWER);
    if (status !== undefined) counts[status] = (counts[status] ?? 0) + 1;
    await sleep(REQUEST_PAUSE_MS);
  }
  return counts;
}

/** The connection broke. */
const NO_ANSWER = 0;

/** Rejects where the answer breaks off. */
async function statusOf(response: Response | undefined): Promise<number | undefined> {
  await response?.text();
  return response?.status;
}

function repeat(times: number, ask: (n: number) => Promise<Response | undefined>): Promise<Counts> {
  let n = 0;
  return repeatUntil(() => n++ === times, ask);
}

/** Sends half of a body and leaves. */
async function breakUpload({ url, token }: DaemonClient): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-length": 200_000 };
  const upload = request(`${url}/v1/sessions`, { method: "POST", headers });
  upload.on("error", () => {});
  await new Promise((resolve) => upload.write("x".repeat(100_000), resolve));
  upload.destroy();
}

/** From another address than the other clients. */
async function guessToken({ url }: Balancer): Promise<number> {
  const headers = { authorization: "Bearer wrong" };
  const guess = request(`${url}/v1/sessions`, { headers, localAddress: "127.0.0.2" }).end();
  const [response] = (await once(guess, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode!;
}

async function ownerOf(client: DaemonClient, session: string): Promise<string> {
  const { node } = await client.call<{ node: string }>("GET", `/v1/sessions/${session}`);
  return node;
}
