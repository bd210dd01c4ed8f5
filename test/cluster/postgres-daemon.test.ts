/** A daemon whose sessions are in PostgreSQL, as a person starts it: also when it is killed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run, type Served, serve, stop } from "../../src/cli/test-support.ts";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { DaemonClient } from "../daemon-client.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await TestCluster.start({ asksForPassword: true });
});

afterAll(() => cluster[Symbol.asyncDispose]());

/** Everything that was said, which must not have the password. */
function said(...served: Served[]): string {
  return served.map(({ stdout, stderr }) => stdout() + stderr()).join("");
}

it("keeps everything when it is killed, and lets no second one beside it", async () => {
  const [data, cwd] = [cluster.temporary(), cluster.temporary()];
  const options = { environment: { INTERLINGUA_STORE: cluster.store }, cwd };
  const first = await serve(["--data", data], options);
  const client = new DaemonClient(first);
  await client.call("POST", "/v1/sessions", { id: "a", agent: "mock" });
  await client.prompt("a", "scenario:rich zebra \u0000 crossing");
  const isDone = async (daemon: DaemonClient) =>
    (await daemon.call<{ status: string }>("GET", "/v1/sessions/a")).status === "idle";
  await eventually("the first turn", () => isDone(client));
  const before = await client.events("a");
  expect(before.join("\n")).toContain("zebra");
  const health = await client.call<object>("GET", "/v1/health");
  const metrics = await (await client.request("GET", "/metrics")).text();

  const second = await run(["serve", "--port", "0", "--data", cluster.temporary()], options);
  expect(second.code).toBe(1);
  expect(second.stderr).toContain("another daemon works with this database");

  first.child.kill("SIGKILL");
  await first.ended;
  const again = await serve(["--data", data], options);
  const later = new DaemonClient(again);
  const after = await later.events("a");
  expect(after.slice(0, before.length)).toEqual(before);
  await later.prompt("a", "scenario:text and again");
  await eventually("the second turn", () => isDone(later));
  const events = (await later.events("a")).map((json) => JSON.parse(json) as SessionEvent);
  expect(checkLog(events, { complete: true })).toEqual([]);
  const { results } = await later.call<{ results: { message: string }[] }>("GET", "/v1/search?q=zebra");
  expect(results.length).toBeGreaterThan(0);
  expect((await stop(again)).code).toBe(0);

  const texts = [said(first, again), JSON.stringify(health), metrics, second.stdout, second.stderr];
  expect(texts.join("")).not.toContain(cluster.postgres.password);

  // Without a daemon, commands read the database.
  const listed = await run(["sessions", "--json", "--data", data], options);
  expect(listed.stdout).toContain('"a"');
  const checked = await run(["db", "check"], {
    ...options,
    environment: { ...options.environment, INTERLINGUA_DATA: data },
  });
  expect(checked).toMatchObject({ code: 0 });
  expect(checked.stdout).toContain("is whole (sessions: 1,");
  const doctor = await run(["doctor", "--data", data, "--json"], options);
  expect(doctor.stdout).toContain("opens; interlingua db check reads all of it");
  const backup = await run(["backup", join(cwd, "b"), "--data", data], options);
  expect(backup).toMatchObject({ code: 2 });
  expect(backup.stderr).toContain("pg_dump");
  for (const { stdout, stderr } of [listed, checked, doctor, backup])
    expect(stdout + stderr).not.toContain(cluster.postgres.password);
});

it("takes no password in a flag, and names where it belongs", async () => {
  const refused = await run([
    "serve",
    "--port",
    "0",
    "--data",
    cluster.temporary(),
    "--store",
    cluster.store,
  ]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("INTERLINGUA_STORE");
  expect(refused.stderr).toContain("`store` in the config file");
  expect(refused.stderr).not.toContain(cluster.postgres.password);
});

it("says what is wrong with an address, without repeating it", async () => {
  const data = cluster.temporary();
  const wrong = async (address: string) => {
    const outcome = await run(["serve", "--port", "0", "--data", data], {
      environment: { INTERLINGUA_STORE: address },
    });
    expect(outcome.stderr).not.toContain("sesame");
    return outcome;
  };
  expect((await wrong("mysql://me:sesame@host/db")).stderr).toContain("must be the address of a database");
  const { port, user } = cluster.postgres;
  const unauthorized = await wrong(`postgres://${user}:sesame@127.0.0.1:${port}/postgres`);
  expect(unauthorized.stderr).toContain("Check the password in INTERLINGUA_STORE.");
  const missing = await wrong(cluster.postgres.url("nothing"));
  expect(missing.stderr).toContain("Create the database");
  writeFileSync(
    join(data, "config.json"),
    JSON.stringify({ store: `postgres://${user}:sesame@127.0.0.1:${port}/postgres` }),
  );
  const configured = await run(["serve", "--port", "0", "--data", data]);
  expect(configured.stderr).toContain(`postgres://${user}@127.0.0.1:${port}/postgres cannot be used`);
  expect(configured.stderr).not.toContain("sesame");
});
