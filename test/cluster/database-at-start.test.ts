/** Starts of daemons whose database is away, in use by others, or reached over an open network. */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Running, start } from "../../src/cli/test-support.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { endNode } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

const SECRET = { INTERLINGUA_CLUSTER_SECRET: "only-for-tests-".repeat(3) };

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await TestCluster.start({ asksForPassword: true });
});

afterAll(() => cluster[Symbol.asyncDispose]());

afterEach(() => cluster.clear());

function begin(store: string, args: readonly string[] = [], own: Record<string, string> = {}): Running {
  const given = ["serve", "--port", "0", "--data", cluster.temporary(), ...args];
  const running = start(given, { environment: { INTERLINGUA_STORE: store, ...own }, cwd: cluster.root });
  cluster.defer(() => {
    running.child.kill("SIGKILL");
    return running.ended;
  });
  return running;
}

async function refused(store: string, own: Record<string, string> = {}): Promise<string> {
  const { code, stderr } = await begin(store, [], own).ended;
  expect(code).toBe(1);
  expect(stderr).not.toContain(cluster.postgres.password);
  return stderr;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.each([
  ["alone", {}],
  ["of several", SECRET],
])("a daemon, %s, whose database is away at the start", (_, secret) => {
  it("waits for it, says so, is not ready meanwhile, and then begins", async () => {
    const proxy = await cluster.startProxy();
    proxy.refuses = true;
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const running = begin(cluster.storeBehind(proxy), ["--port", String(port)], secret);
    await eventually("it says that it tries again", () => running.stderr().includes("Trying again in 1 s."));
    expect(running.stderr()).toContain("cannot be used");
    expect(running.stderr()).not.toContain(cluster.postgres.password);
    const [live, ready, health, other] = await Promise.all(
      ["health/live", "health/ready", "health", "sessions"].map((path) => fetch(`${url}/v1/${path}`)),
    );
    expect([live!.status, await live!.json()]).toMatchObject([200, { status: "ok" }]);
    expect([ready!.status, await ready!.json()]).toMatchObject([503, { status: "failing" }]);
    expect([health!.status, await health!.json()]).toMatchObject([503, { status: "failing" }]);
    expect(other!.headers.get("retry-after")).toBe("5");
    expect([other!.status, await other!.json()]).toMatchObject([503, { code: "store_busy" }]);
    proxy.refuses = false;
    await eventually("it listens", () => running.stdout().includes(url));
    expect((await fetch(`${url}/v1/health/ready`)).status).toBe(200);
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
  });

  it("ends when it is told to while it waits", async () => {
    const running = begin("postgres://me:sesame@127.0.0.1:1/db", [], secret);
    await eventually("it waits", () => running.stderr().includes("Trying again in"));
    running.child.kill("SIGTERM");
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr).not.toContain("sesame");
  });
});

it("a wrong password, a missing database and a file that is not there are errors at once", async () => {
  const { port, user } = cluster.postgres;
  expect(await refused(`postgres://${user}:sesame@127.0.0.1:${port}/postgres`)).toContain(
    "Check the password",
  );
  expect(await refused(cluster.postgres.url("nothing"))).toContain("Create the database");
  const lost = `${cluster.store}?sslmode=verify-full&sslrootcert=/nowhere/ca.crt`;
  expect(await refused(lost)).toContain("Check the files that the address in INTERLINGUA_STORE names.");
});

describe("a daemon that cannot be beside those that have the database", () => {
  it("is told that they are nodes, and how it becomes one", async () => {
    const node = await cluster.startNode();
    const said = await refused(cluster.store);
    expect(said).toContain("nodes work with this database");
    expect(said).toContain("Give it the secret of the nodes");
    await endNode(node, "SIGTERM");
  });

  it("is told that one is alone, and how that becomes a node", async () => {
    const alone = begin(cluster.store);
    await eventually("it listens", () => alone.stdout().includes("http"));
    const said = await refused(cluster.store, SECRET);
    expect(said).toContain("another daemon works with this database, without INTERLINGUA_CLUSTER_SECRET");
    expect(await refused(cluster.store)).toContain("to make them nodes");
  });
});

describe("a database on another machine", () => {
  const warning = "Add sslmode=verify-full to its address";

  it("that is reached without TLS is a warning", async () => {
    // It is this machine again, by an address that does not say so.
    const plain = begin("postgres://me:sesame@0.0.0.0:1/db");
    await eventually("the warning", () => plain.stderr().includes(warning));
    expect(plain.stderr()).toContain("postgres://me@0.0.0.0:1/db");
    expect(plain.stderr()).not.toContain("sesame");
  });

  it.each([
    ["with TLS", "postgres://me@0.0.0.0:1/db?sslmode=verify-full", {}],
    ["with TLS by a variable", "postgres://me@0.0.0.0:1/db", { PGSSLMODE: "verify-full" }],
    ["on this machine", "postgres://me@127.0.0.1:1/db", {}],
    ["on this machine by its name", "postgres://me@localhost:1/db", {}],
    ["at a socket", "postgres://me@%2Fnowhere/db", {}],
  ])("%s is none", async (_, store, own) => {
    const running = begin(store, [], own);
    await eventually("it has tried", () => running.stderr().includes("cannot be used"));
    expect(running.stderr()).not.toContain(warning);
  });
});

it("a certificate that nobody vouches for is an error at once, which names sslrootcert=", async () => {
  const folder = cluster.temporary();
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...files, ...subject],
    {
      stdio: "ignore",
    },
  );
  chmodSync(folder, 0o755);
  chmodSync(key, 0o600);
  // PostgreSQL runs as nobody where the tests run as root.
  if (process.getuid?.() === 0) chownSync(key, 65_534, 65_534);
  await cluster.postgres.stop();
  await cluster.postgres.start({ ssl: "on", ssl_cert_file: certificate, ssl_key_file: key });
  cluster.defer(async () => {
    await cluster.postgres.stop();
    await cluster.postgres.start();
  });
  const said = await refused(`${cluster.store}?sslmode=require`);
  expect(said).toContain("self-signed certificate");
  expect(said).toContain("sslrootcert=");
  // The remedy helps.
  const running = begin(`${cluster.store}?sslmode=verify-full&sslrootcert=${certificate}`);
  await eventually("it listens", () => running.stdout().includes("http"));
  running.child.kill("SIGTERM");
  await running.ended;
});
