import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { until } from "../../../src/testkit/until.ts";
import type { FeedFrame, Session } from "../api/types.ts";
import { FeedPages } from "./feed-pages.ts";
import { applyFrame, NOTHING_YET } from "./feed-state.ts";

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
  vi.unstubAllGlobals();
});

/** A daemon of which the page needs no more than its lists. Returns the paths it was asked for. */
async function serve(answer: (path: string) => { status: number; body: object }): Promise<string[]> {
  const asked: string[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url!);
    const { status, body } = answer(url!);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ended.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  vi.stubGlobal("location", { origin: `http://127.0.0.1:${port}` });
  vi.stubGlobal("sessionStorage", { getItem: () => "token" });
  return asked;
}

const row = (id: string, title = id) => ({ id, title }) as Session;
const SNAPSHOT = {
  type: "snapshot",
  sessions: [],
  asks: [],
  presence: [],
  startedAt: 1,
  sessionCursor: "one",
} as unknown as FeedFrame;

function follow() {
  let state = applyFrame(NOTHING_YET, SNAPSHOT);
  const leaving = new AbortController();
  ended.push(() => leaving.abort());
  const rest = new FeedPages({
    signal: leaving.signal,
    change: (next) => {
      state = next(state);
    },
  });
  rest.follow(SNAPSHOT);
  return { rest, leaving, state: () => state };
}

it("a page that fails makes the whole snapshot load again, instead of that page", async () => {
  let failures = 0;
  const asked = await serve((path) => {
    if (path.endsWith("cursor=one")) return { status: 200, body: { sessions: [row("a")], cursor: "two" } };
    failures += 1;
    return failures <= 2
      ? { status: 503, body: {} }
      : { status: 200, body: { sessions: [row("b"), row("c", "old")] } };
  });
  const { rest, state } = follow();
  await until(() => failures > 0);
  // What a frame tells while the page is awaited counts more than the page.
  rest.follow({ type: "session", session: "c", title: "new" } as FeedFrame);
  await until(() => state().sessions.has("b"));
  expect([...state().sessions.keys()]).toEqual(["a", "b"]);
  expect(asked.map((path) => path.split("cursor=")[1])).toEqual(["one", "two", "two", "two"]);
  expect(state().connection).toBe("live");
});
