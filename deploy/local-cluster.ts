/**
 * Several nodes on this machine, as plain processes: PostgreSQL, nodes with data directories of their own, and a load
 * balancer before them. The topology of compose.yaml, without containers.
 *
 *   npm run start:cluster -- --nodes 3 --root ~/code
 *
 * Without `--store` it starts the PostgreSQL that the tests use, which keeps nothing when it ends. Ctrl-C ends all of it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type LoadBalancer, startLoadBalancer } from "./load-balancer.ts";

export interface LocalClusterOptions {
  /** The database; one for tests when absent. */
  store?: string;
  nodes: number;
  /** Of the load balancer; 0 picks one. */
  port: number;
  /** Where sessions work, the same for all nodes. */
  root: string;
  /** Where the nodes' data directories are; a temporary folder when absent. */
  data?: string;
  /** Further settings of the nodes. */
  environment?: Record<string, string>;
}

export interface LocalNode {
  readonly name: string;
  readonly url: string;
  readonly process: ChildProcess;
  /** What it has logged. */
  log(): string;
}

export interface LocalCluster {
  /** That of the load balancer. */
  readonly url: string;
  readonly token: string;
  readonly nodes: readonly LocalNode[];
  readonly balancer: LoadBalancer;
  /** Tells the nodes to go, one after the other as an upgrade does, and ends the rest. */
  close(): Promise<void>;
}

const PROGRAM = resolve(import.meta.dirname, "../bin/interlingua.js");

export async function startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster> {
  await using opened = new AsyncDisposableStack();
  const temporary = mkdtempSync(join(tmpdir(), "interlingua-cluster-"));
  opened.defer(() => rmSync(temporary, { recursive: true, force: true }));
  const store = options.store ?? (await startTestDatabase(opened));
  const secrets = {
    INTERLINGUA_STORE: store,
    INTERLINGUA_CLUSTER_SECRET: randomBytes(32).toString("hex"),
    // Whichever node is asked takes it.
    INTERLINGUA_TOKEN: randomBytes(32).toString("base64url"),
  };
  const port = options.port === 0 ? await freePort() : options.port;
  const checkpoints = join(options.data ?? temporary, "checkpoints");
  mkdirSync(checkpoints, { recursive: true, mode: 0o700 });
  const nodes: LocalNode[] = [];
  for (let number = 1; number <= options.nodes; number += 1) {
    const name = `node-${number}`;
    const data = join(options.data ?? temporary, name);
    mkdirSync(data, { recursive: true, mode: 0o700 });
    const flags = ["--port", "0", "--node-name", name, "--data", data];
    flags.push("--shared-root", options.root, "--checkpoint-directory", checkpoints);
    // Requests carry the name of the load balancer.
    const environment = {
      ...{ INTERLINGUA_ALLOW_HOST: `127.0.0.1:${port},localhost:${port}`, ...secrets },
      ...options.environment,
    };
    const node = await startNode(name, flags, environment);
    nodes.push(node);
    opened.defer(() => endNode(node.process));
  }
  const balancer = await startLoadBalancer({ nodes: nodes.map(({ url }) => url), port });
  opened.defer(() => balancer.close());
  const running = opened.move();
  return {
    url: balancer.url,
    token: secrets.INTERLINGUA_TOKEN,
    nodes,
    balancer,
    close: () => running.disposeAsync(),
  };
}

async function startNode(
  name: string,
  flags: readonly string[],
  environment: Record<string, string>,
): Promise<LocalNode> {
  const child = spawn(process.execPath, [PROGRAM, "serve", ...flags], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [printed, log] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    // Only the end of it: it runs for long.
    log = (log + text).slice(-100_000);
  });
  const link = Promise.withResolvers<void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (printed.includes("\n")) link.resolve();
  });
  child.once("exit", (code) => link.reject(new Error(`${name} ended with ${code}: ${log}`)));
  await link.promise;
  return { name, url: printed.split("/#token=")[0]!, process: child, log: () => log };
}

async function endNode(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGINT");
  await ended;
}

async function startTestDatabase(opened: AsyncDisposableStack): Promise<string> {
  const { startPostgres } = await import("../test/postgres/start-postgres.ts");
  const postgres = opened.use(await startPostgres());
  return postgres.createDatabase();
}

/** The nodes have to know it before the load balancer listens. */
async function freePort(): Promise<number> {
  const balancer = await startLoadBalancer({ nodes: [], port: 0 });
  await balancer.close();
  return Number(new URL(balancer.url).port);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      store: { type: "string", default: process.env.INTERLINGUA_STORE },
      nodes: { type: "string", default: "2" },
      port: { type: "string", default: "4111" },
      root: { type: "string", default: process.cwd() },
      data: { type: "string" },
    },
  });
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  const cluster = await startLocalCluster({
    ...values,
    nodes: Number(values.nodes),
    port: Number(values.port),
    root: resolve(values.root),
  });
  console.log(`${cluster.url}/#token=${cluster.token}`);
  for (const { name, url, process: child } of cluster.nodes)
    console.log(`${name}: ${url} (pid ${child.pid})`);
  await stopped;
  await cluster.close();
}

if (import.meta.main) await main();
