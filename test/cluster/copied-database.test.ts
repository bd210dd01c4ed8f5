/** A copy of the database beside the original, whose nodes run: a restored dump on this server and on another one. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { identifyDatabase } from "../../src/cluster/database-identity.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { dataLines } from "../daemon-client.ts";
import { startPostgres, type TestPostgres } from "../postgres/start-postgres.ts";
import { createSession, dispatchedIn, untilIdle } from "./node-sessions.ts";
import { restoreCopy } from "./restored-copy.ts";
import { eventsAt } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
let other: TestPostgres;

beforeAll(async () => {
  [cluster, other] = await Promise.all([TestCluster.start(), startPostgres()]);
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

afterEach(() => cluster.clear());

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

const servers = [
  ["the same server", () => cluster.postgres],
  ["another server", () => other],
] as const;

describe.each(servers)("a dump that is restored on %s", (_, server) => {
  it("a prompt at the copy is executed by the copy's node, and its stream ends", async () => {
    const [a, b] = [await cluster.startNode(), await cluster.startNode()];
    await createSession(a, "s");
    await a.client.prompt("s", "scenario:text first", "first");
    await untilIdle(a, "s");
    const copied = await server().createDatabase();
    await restoreCopy(cluster.store, copied);
    const copy = await cluster.startNode({ store: copied });

    const parts = [{ type: "text", text: "scenario:text second" }];
    const response = await copy.client.request("POST", "/api/chat", {
      id: "s",
      message: { id: "second", role: "user", parts },
    });
    expect(response.status).toBe(200);
    const lines: string[] = [];
    for await (const line of dataLines(response)) lines.push(line);
    expect(lines.at(-1)).toBe("[DONE]");
    expect(dispatchedIn(await untilIdle(copy, "s"))).toEqual(["first", "second"]);
    // Nobody of the original has seen it.
    for (const node of [a, b]) expect(dispatchedIn(await eventsAt(node, "s"))).toEqual(["first"]);
    type Listed = { nodes: { self: boolean }[] };
    expect((await copy.client.call<Listed>("GET", "/v1/nodes")).nodes).toMatchObject([{ self: true }]);
    expect((await a.client.call<Listed>("GET", "/v1/nodes")).nodes).toHaveLength(2);
    expect(`${a.log()}${b.log()}${copy.log()}`).not.toContain("were refused");
    expect(copy.log()).toContain("this database is a copy of another one");
  });
});

describe("the id of a database", () => {
  async function connect(url: string): Promise<PostgresConnection> {
    const connection = await PostgresConnection.open({ url });
    cluster.defer(() => connection.close());
    return connection;
  }

  async function openDatabase(server: TestPostgres, url?: string): Promise<PostgresConnection> {
    const made = url ?? (await server.createDatabase());
    await (await openPostgres({ url: made })).close();
    return connect(made);
  }

  const livingIn = async (connection: PostgresConnection) =>
    (await connection.query<{ id: number }>("SELECT id FROM node WHERE NOT dead ORDER BY id")).map(
      ({ id }) => id,
    );

  it("stays, whoever asks, and nodes of an earlier version live on when it is first written", async () => {
    const database = await openDatabase(cluster.postgres);
    await database.write("INSERT INTO node (name) VALUES ('earlier')");
    const first = await identifyDatabase(database);
    expect(first.forgottenNodes).toBeUndefined();
    expect(await identifyDatabase(database)).toEqual(first);
    expect(await livingIn(database)).toEqual([1]);
  });

  it("is another one in a copy: one of those who come at once writes it, and none that has joined is declared dead", async () => {
    const url = await cluster.postgres.createDatabase();
    const original = await openDatabase(cluster.postgres, url);
    const { id } = await identifyDatabase(original);
    await original.write("INSERT INTO node (name) VALUES ('one'), ('two')");
    const copied = await other.createDatabase();
    await restoreCopy(url, copied);
    const joined = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const connection = await connect(copied);
        const identity = await identifyDatabase(connection);
        const [node] = await connection.write<{ id: number }>(
          "INSERT INTO node (name) VALUES ('new') RETURNING id",
        );
        return { ...identity, node: node!.id };
      }),
    );
    expect(new Set(joined.map((each) => each.id)).size).toBe(1);
    expect(joined[0]!.id).not.toBe(id);
    expect(joined.flatMap(({ forgottenNodes }) => forgottenNodes ?? [])).toEqual([2]);
    expect(await livingIn(await connect(copied))).toEqual(
      joined.map(({ node }) => node).sort((a, b) => a - b),
    );
    expect(await livingIn(original)).toEqual([1, 2]);
    expect((await identifyDatabase(original)).id).toBe(id);
  });

  it("stays in a standby that is promoted", async () => {
    const url = await other.createDatabase();
    const original = await openDatabase(other, url);
    const identity = await identifyDatabase(original);
    const standby = cluster.use(await other.startStandby());
    await standby.query("SELECT pg_promote()");
    const promoted = await connect(standby.url(nameOf(url)));
    await eventually("it is the primary", async () => {
      const [row] = await promoted.query<{ standby: boolean }>("SELECT pg_is_in_recovery() AS standby");
      return row?.standby === false;
    });
    expect(await identifyDatabase(promoted)).toEqual(identity);
  });

  it("tells a copy under the same number also to a role that may not read the server's id", async () => {
    const url = await cluster.postgres.createDatabase();
    const original = await openDatabase(cluster.postgres, url);
    const copied = await other.createDatabase();
    const REVOKE =
      "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC; CREATE ROLE plain LOGIN; GRANT CREATE ON DATABASE";
    for (const [server, at] of [
      [cluster.postgres, url],
      [other, copied],
    ] as const)
      await server.query(`${REVOKE} ${nameOf(at)} TO plain`, nameOf(at));
    const GRANT =
      "GRANT ALL ON SCHEMA interlingua TO plain; GRANT ALL ON ALL TABLES IN SCHEMA interlingua TO plain";
    const asPlain = async (server: TestPostgres, at: string) => {
      await server.query(GRANT, nameOf(at));
      return connect(at.replace(/\/\/[^@]*@/, "//plain@"));
    };
    const plain = await asPlain(cluster.postgres, url);
    const { id } = await identifyDatabase(plain);
    expect((await identifyDatabase(plain)).id).toBe(id);
    await cluster.postgres.query("VACUUM (FULL, FREEZE) interlingua.mark", nameOf(url));
    expect((await identifyDatabase(plain)).id).toBe(id);
    // A role with the right comes to the same.
    expect((await identifyDatabase(original)).id).toBe(id);

    await restoreCopy(url, copied);
    const AS_HERE = `UPDATE interlingua.mark SET value = jsonb_set(value::jsonb, '{database}',
      (SELECT to_jsonb(oid::bigint) FROM pg_database WHERE datname = current_database()))::text`;
    await other.query(AS_HERE, nameOf(copied));
    const found = await identifyDatabase(await asPlain(other, copied));
    expect(found).toMatchObject({ forgottenNodes: 0 });
    expect(found.id).not.toBe(id);
  });
});
