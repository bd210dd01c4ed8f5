/** What tokens see of the disk: nothing that they could not have an agent work in. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "./world.ts";

let world: World;

beforeAll(async () => {
  world = await World.start();
  mkdirSync(join(world.server.root, "project"));
  writeFileSync(join(world.server.root, "readme.md"), "");
});

afterAll(() => world.close());

test("a token for certain sessions sees no directories, and the files of these sessions alone", async () => {
  const [mine, other] = [await world.session(), await world.session()];
  for (const role of ["operator", "owner"] as const) {
    const guest = await world.person(role, { sessions: [mine] });
    const listed = await world.call(guest, "GET", "/v1/directories");
    expect([listed.status, listed.body.code]).toEqual([403, "forbidden"]);
    const inside = await world.call(guest, "GET", `/v1/directories?path=${world.server.root}`);
    expect([inside.status, inside.text.includes("project")]).toEqual([403, false]);
    const files = await world.call(guest, "GET", `/v1/sessions/${mine}/files?search=readme`);
    expect([files.status, files.body.files]).toEqual([200, [{ path: "readme.md" }]]);
    const others = await world.call(guest, "GET", `/v1/sessions/${other}/files`);
    expect([others.status, others.body.code]).toEqual([404, "session_not_found"]);
  }
});

test("a token for certain agents makes sessions of these anywhere, and sees the files of these alone", async () => {
  const session = await world.session();
  const mocks = await world.person("operator", { agents: ["mock"] });
  expect((await world.call(mocks, "GET", "/v1/directories")).status).toBe(200);
  expect((await world.call(mocks, "GET", `/v1/sessions/${session}/files`)).status).toBe(200);
  const others = await world.person("operator", { agents: ["claude"] });
  expect((await world.call(others, "GET", `/v1/sessions/${session}/files`)).status).toBe(404);
});
