/** A token for certain sessions finds, and is told, nothing of the others. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { StreamClient } from "../../src/server/http-client-test-support.ts";
import { TESTER } from "../../src/testkit/tester.ts";
import { until } from "../../src/testkit/until.ts";
import { World } from "./world.ts";

let world: World;

beforeAll(async () => {
  world = await World.start();
});

afterAll(() => world.close());

async function say(session: string, text: string): Promise<void> {
  const { status } = await world.call(world.owner, "POST", `/v1/sessions/${session}/messages`, { text });
  expect(status).toBe(202);
  await until(
    async () => (await world.server.engine.run("getSession", { session }, TESTER)).status === "idle",
  );
}

test("the search has messages of its own sessions only", async () => {
  const [own, other] = [await world.session(), await world.session()];
  await say(own, "scenario:echo a shared zebra");
  await say(other, "scenario:echo a hidden zebra");
  const guest = await world.person("observer", { sessions: [own] });
  const { body } = await world.call(guest, "GET", "/v1/search?q=zebra");
  expect(body.results.map(({ session }: { session: string }) => session)).toEqual([own, own]);
  expect((await world.call(guest, "GET", `/v1/search?q=zebra&session=${other}`)).status).toBe(404);
  const all = await world.call(world.owner, "GET", "/v1/search?q=zebra");
  expect(all.body.results).toHaveLength(4);
});

test("the feed does not name the session that one of its own was copied from", async () => {
  const origin = await world.session();
  await say(origin, "scenario:echo first");
  const { body: fork } = await world.call(world.owner, "POST", `/v1/sessions/${origin}/fork`, {});
  const guest = await world.person("observer", { sessions: [fork.id] });
  const follow = (token: string) =>
    StreamClient.open(world.server.url, "/v1/feed/sse", { headers: { authorization: `Bearer ${token}` } });
  const [seen, all] = [await follow(guest.token), await follow(world.owner.token)];
  for (const feed of [seen, all]) await until(() => feed.text.includes('"type":"snapshot"'));
  await world.call(world.owner, "PATCH", `/v1/sessions/${fork.id}`, { pinned: true });
  for (const feed of [seen, all]) await until(() => feed.text.includes('"pinned":true'));
  expect(all.text.match(/"forkedFrom":/g)).toHaveLength(2);
  expect(seen.text).not.toContain(origin);
  expect(seen.text).not.toContain("forkedFrom");
});
