/** Each role against each route of every protocol, by real requests. What is expected follows from the table of rights. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasRight, RIGHTS, type Right, ROLES } from "../../src/core/rights.ts";
import { DIALECTS } from "../../src/dialects/registry.ts";
import { routes } from "../../src/protocol/route-table.ts";
import { openDialect } from "../../src/server/dialect-port/open-dialect-test-support.ts";
import type { MountedRoute } from "../../src/server/mount.ts";
import { SAMPLES } from "./samples.ts";
import { type Person, World } from "./world.ts";

const ALL: readonly MountedRoute[] = [
  routes,
  ...[...DIALECTS, openDialect].map((dialect) => dialect.routes),
].flatMap((table) => Object.values<MountedRoute>(table));

let world: World;
const people = new Map<string, Person>();

beforeAll(async () => {
  world = await World.start();
  for (const role of ROLES) people.set(role, await world.person(role));
  people.set("the daemon's own", world.owner);
});

afterAll(() => world.close());

async function request(route: MountedRoute, person: Person) {
  const sample = await SAMPLES[route.operationId!]!(world, person);
  const answer = await world.call(person, route.method.toUpperCase(), sample.path, sample.body);
  return { sample, answer };
}

test("every route has a sample, and every sample a route", () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(ALL.map(({ operationId }) => operationId).sort());
});

test("every route has a right of the table, or needs no token", () => {
  const open = ALL.filter(({ right }) => right === undefined);
  expect(open.map(({ operationId }) => operationId).sort()).toEqual([
    "getHealth",
    "getLiveness",
    "getOpenApi",
    "getReadiness",
    "redeemInvitation",
  ]);
  for (const { right, security } of ALL)
    expect(right === undefined ? security?.length === 0 : right in RIGHTS).toBe(true);
});

describe.each(ALL.map((route) => [route.operationId!, route] as const))("%s", (_, route) => {
  test.each([...ROLES, "the daemon's own"])("by %s", async (who) => {
    const person = people.get(who)!;
    const right = route.right as Right | undefined;
    const isAllowed = right === undefined || hasRight(person, right);
    const { sample, answer } = await request(route, person);
    if (isAllowed) {
      expect([answer.status, answer.text]).toEqual([sample.status ?? 200, answer.text]);
      return;
    }
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(`needs the role ${RIGHTS[right].role}`);
    const refusals = await world.refusals(person);
    expect(refusals.map(({ action }) => action)).toContain(right);
  });

  test("by nobody", async () => {
    const { answer } = await request(route, { name: "nobody", role: "observer", token: "itk_wrong" });
    if (route.right === undefined) expect(answer.status).toBeLessThan(300);
    else expect(answer.status).toBe(401);
  });
});
