/** Everybody who uses the daemon during the soak. Each goes on until the end, and takes a broken connection as it comes. */
import { type ClientRequest, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { HostileJson } from "../../src/testkit/hostile-agent/index.ts";
import { Random } from "../../src/testkit/random.ts";
import type { DaemonClient } from "../daemon-client.ts";
import { type OpenApi, RouteRequests, routesOf } from "../hostile/route-requests.ts";

const SCENARIOS = [
  "text",
  "rich",
  "burst:2000",
  "approve",
  "question",
  "crash",
  "garbage",
  "huge:1",
  "subagent",
];

export interface Soak {
  readonly seed: number;
  /** The daemon of the moment. */
  client(): DaemonClient;
  isOver(): boolean;
}

/** Runs again and again what may be cut short by a daemon that dies. */
export async function repeat(soak: Soak, act: () => Promise<void>): Promise<void> {
  while (!soak.isOver()) {
    try {
      await act();
    } catch (error) {
      if (!isBrokenConnection(error)) throw error;
      await sleep(200);
    }
  }
}

/** What `fetch` says when nobody listens, or stops in the middle. */
function isBrokenConnection(error: unknown): boolean {
  return error instanceof TypeError && ["fetch failed", "terminated"].includes(error.message);
}

/** Works with a session for a while, answers what it is asked, and removes it. */
export function worker(soak: Soak, name: string, agent: "mock" | "hostile"): Promise<void> {
  const random = new Random(soak.seed + name.length * 1000 + name.charCodeAt(name.length - 1));
  let made = 0;
  return repeat(soak, async () => {
    made += 1;
    const path = `/v1/sessions/${name}-${made}`;
    const options = agent === "mock" && { options: { pace: 0 } };
    await send(soak, "POST", path, { agent, ...options });
    for (let turns = random.integer(1, 8); turns > 0 && !soak.isOver(); turns -= 1) {
      const text = agent === "mock" ? `scenario:${random.pick(SCENARIOS)}` : `seed:${random.integer(0, 1e9)}`;
      await send(soak, "POST", `${path}/messages`, { text });
      await finish(soak, path, random);
    }
    await send(soak, "DELETE", path);
  });
}

async function finish(soak: Soak, path: string, random: Random): Promise<void> {
  for (let looks = 0; looks < 100 && !soak.isOver(); looks += 1) {
    const { status } = (await send(soak, "GET", path)) as { status?: string };
    if (status !== "running" && status !== "waiting") return;
    if (looks > 20) await send(soak, "POST", `${path}/interrupt`);
    const { asks = [] } = (await send(soak, "GET", `/v1/asks?session=${path.split("/").at(-1)}`)) as {
      asks?: { ask: string }[];
    };
    for (const { ask } of asks.slice(0, 5))
      await send(soak, "POST", `${path}/asks/${encodeURIComponent(ask)}/reply`, {
        reply: random.pick(["once", "reject"]),
      });
    await sleep(50);
  }
}

/** Gives the answer, whatever it is. Only a failure nobody planned for is one here. */
async function send(soak: Soak, method: string, path: string, body?: unknown): Promise<object> {
  const response = await soak.client().request(method, path, body);
  const text = await response.text();
  if (text.includes('"code":"internal"')) throw new Error(`${method} ${path}: ${text}`);
  return text === "" ? {} : (JSON.parse(text) as object);
}

/** Follows whatever there is for a moment, at times without reading. */
export function reader(soak: Soak, index: number): Promise<void> {
  const random = new Random(soak.seed + index);
  return repeat(soak, async () => {
    const { sessions } = (await send(soak, "GET", "/v1/sessions?limit=50")) as { sessions: { id: string }[] };
    const session = random.pick(sessions);
    const path = session && random.chance(0.8) ? `/v1/sessions/${session.id}/events/sse` : "/v1/feed/sse";
    const stream = openStream(soak.client(), path, random.chance(0.3));
    await sleep(random.integer(10, 3000));
    stream.destroy();
  });
}

function openStream({ url, token }: DaemonClient, path: string, isSlow: boolean): ClientRequest {
  const headers = { authorization: `Bearer ${token}` };
  const request = get(url + path, { agent: false, headers }, (response) => {
    response.on("error", () => {});
    if (isSlow) response.pause();
    else response.resume();
  });
  return request.on("error", () => {});
}

/** Sends what no client should. */
export function vandal(soak: Soak): Promise<void> {
  const random = new Random(soak.seed + 77);
  return repeat(soak, async () => {
    const document = await soak.client().call<OpenApi>("GET", "/v1/openapi.json");
    const requests = new RouteRequests(random, new HostileJson(random, 100_000), document);
    const names = ["vandal-1", "vandal-2"];
    const pool = { id: names, session: names, sessionId: names, agent: ["mock"], text: ["scenario:text"] };
    for (const route of routesOf(document)) {
      const { method, path, headers, body } = requests.draw(route, pool);
      const controller = new AbortController();
      const response = await fetch(soak.client().url + path, {
        method,
        headers: { ...headers, authorization: `Bearer ${soak.client().token}` },
        ...(body !== undefined && method !== "GET" && { body }),
        signal: controller.signal,
      });
      if (response.headers.get("content-type")?.startsWith("text/event-stream")) controller.abort();
      else if ((await response.text()).includes('"code":"internal"'))
        throw new Error(`${method} ${path} ${body?.slice(0, 500)}: internal`);
      await sleep(20);
    }
    for (const name of names) await send(soak, "DELETE", `/v1/sessions/${name}`);
  });
}
