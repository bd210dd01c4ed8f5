/** Each role against each frame of a socket. What is expected follows from the table of rights. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasRight, ROLES } from "../../src/core/rights.ts";
import { refusal, SocketClient } from "../../src/server/channels/socket-client-test-support.ts";
import { until } from "../../src/testkit/until.ts";
import { FRAMES } from "./frames.ts";
import { type Person, World } from "./world.ts";

let world: World;
const people = new Map<string, Person>();

beforeAll(async () => {
  world = await World.start();
  for (const role of ROLES) people.set(role, await world.person(role));
});

afterAll(() => world.close());

const headersOf = ({ token }: Person) => ({ headers: { authorization: `Bearer ${token}` } });

/** The answer to a frame. */
async function ask(person: Person, session: string, message: { id: string }) {
  const client = await SocketClient.open(
    world.server.url,
    `/v1/sessions/${session}/unified`,
    headersOf(person),
  );
  client.send(message);
  const answer = () =>
    client.values.find(({ payload }) => payload.metadata.inResponseTo === message.id)?.payload.metadata;
  await until(() => answer() !== undefined);
  client.close();
  return answer();
}

test("every kind of a configuration_change has a sample", () => {
  const source = readFileSync("src/dialects/unified/handle-request.ts", "utf8");
  const kinds = [...source.matchAll(/^ {2}async (\w+)\(/gm)].map(([, kind]) => `kind:${kind}`);
  expect(kinds.length).toBeGreaterThan(0);
  expect(
    Object.keys(FRAMES)
      .filter((name) => name.startsWith("kind:"))
      .sort(),
  ).toEqual(kinds.sort());
});

describe.each(Object.entries(FRAMES))("%s", (_, { rights, make }) => {
  test.each(ROLES)("by %s", async (role) => {
    const person = people.get(role)!;
    const { session, message } = await make(world, person);
    const { subtype, error } = await ask(person, session, message);
    const lacks = rights.find((right) => !hasRight(person, right));
    if (lacks === undefined) return expect([subtype, error]).toEqual(["success", undefined]);
    expect([subtype, error.code, error.status]).toEqual(["error", "forbidden", 403]);
    expect(await world.refusals(person)).toContainEqual(
      expect.objectContaining({ action: lacks, session, dialect: "unified" }),
    );
  });
});

describe("a socket", () => {
  test("of a session that the token is not for is not opened", async () => {
    const other = await world.session();
    const scoped = await world.person("owner", { sessions: [await world.session()] });
    const { status, body } = await refusal(
      world.server.url,
      `/v1/sessions/${other}/unified`,
      headersOf(scoped),
    );
    expect([status, body.code]).toEqual([404, "session_not_found"]);
  });

  test("ends with its token, by 4001", async () => {
    const session = await world.session();
    const person = await world.person("participant", { sessions: [session] });
    const client = await SocketClient.open(
      world.server.url,
      `/v1/sessions/${session}/unified`,
      headersOf(person),
    );
    await world.call(world.owner, "DELETE", `/v1/tokens/${person.id}`);
    expect((await client.ended()).code).toBe(4001);
  });
});
