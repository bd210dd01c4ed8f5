/**
 * Several nodes on this machine, as plain processes: PostgreSQL, nodes with data directories of their own, and a load
 * balancer before them. The topology of compose.yaml, without containers. deploy/start-cluster.ts is its command.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explainListenError } from "../src/server/listen/explain-listen-error.ts";
import { connectPostgres } from "../src/store/postgres/open-postgres.ts";
import { type LoadBalancer, startLoadBalancer } from "./load-balancer.ts";
import { LocalNode } from "./local-node.ts";

export interface LocalClusterOptions {
  /** The database; one for tests when absent, which keeps nothing when it ends. */
  store?: string;
  nodes: number;
  /** Of the load balancer; 0 picks one. */
  port: number;
  /** Where sessions work, the same for all nodes. */
  root: string;
  /** Where the nodes' data directories and logs are; a temporary folder when absent. */
  data?: string;
  /** Further settings of the nodes. */
  environment?: Record<string, string>;
  /** Called when a node has ended that nobody here has told to. */
  onEnded?(node: LocalNode, how: string): void;
}

export interface LocalCluster {
  /** That of the load balancer. */
  readonly url: string;
  readonly token: string;
  readonly nodes: readonly LocalNode[];
  readonly balancer: LoadBalancer;
  /** Starts those again that have ended, on their data directories. Resolves with them when they listen. */
  startEnded(): Promise<LocalNode[]>;
  /** Ends the nodes, one after the other, and the rest. */
  close(): Promise<void>;
}

/** Rejects with a sentence that says what to do, and then leaves nothing behind. */
export async function startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster> {
  await using opened = new AsyncDisposableStack();
  const nodes: LocalNode[] = [];
  // First: the nodes have to know its port, and a port that is taken is said before all else is started.
  const urls = () => nodes.flatMap(({ url }) => (url === undefined ? [] : [url]));
  const balancer = await startLoadBalancer({ nodes: urls, port: options.port }).catch((error: unknown) => {
    throw explainListenError(error, { host: "127.0.0.1", port: options.port });
  });
  opened.defer(() => balancer.close());
  const { port } = new URL(balancer.url);
  const temporary = mkdtempSync(join(tmpdir(), "interlingua-cluster-"));
  opened.defer(() => rmSync(temporary, { recursive: true, force: true }));
  const folder = options.data ?? temporary;
  const checkpoints = join(folder, "checkpoints");
  mkdirSync(checkpoints, { recursive: true, mode: 0o700 });
  const store = options.store ?? (await startTestDatabase(opened));
  if (options.store !== undefined) await assertReachable(options.store);
  const secrets = {
    INTERLINGUA_CLUSTER_SECRET: randomBytes(32).toString("hex"),
    // Whichever node is asked takes it.
    INTERLINGUA_TOKEN: randomBytes(32).toString("base64url"),
    ...options.environment,
  };
  for (let number = 1; number <= options.nodes; number += 1) {
    const name = `node-${number}`;
    const data = join(folder, name);
    mkdirSync(data, { recursive: true, mode: 0o700 });
    const flags = ["--port", "0", "--node-name", name, "--data", data];
    flags.push("--shared-root", options.root, "--checkpoint-directory", checkpoints);
    const environment = {
      INTERLINGUA_STORE: store,
      // Requests carry the name of the load balancer.
      INTERLINGUA_ALLOW_HOST: `127.0.0.1:${port},localhost:${port}`,
      ...secrets,
    };
    const logFile = join(folder, `${name}.log`);
    const node = new LocalNode({ name, flags, environment, logFile, onEnded: options.onEnded });
    opened.defer(() => node.end());
    await node.start();
    nodes.push(node);
  }
  await balancer.look();
  const running = opened.move();
  return {
    url: balancer.url,
    token: secrets.INTERLINGUA_TOKEN,
    nodes,
    balancer,
    async startEnded() {
      const ended = nodes.filter((node) => node.hasEnded);
      await Promise.all(ended.map((node) => node.start()));
      return ended;
    },
    close: () => running.disposeAsync(),
  };
}

/** Nodes wait for a database that is away. A person at a terminal wants to know. */
async function assertReachable(url: string): Promise<void> {
  const connection = await connectPostgres({ url }, undefined, async (opened) => {
    await opened.query("SELECT 1");
  });
  await connection.close();
}

async function startTestDatabase(opened: AsyncDisposableStack): Promise<string> {
  const { startPostgres } = await import("../test/postgres/start-postgres.ts");
  const postgres = opened.use(await startPostgres());
  return postgres.createDatabase();
}
