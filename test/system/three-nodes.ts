/** Three real nodes with fixed ports on a PostgreSQL, as a load balancer has them in its file. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalNode } from "../../deploy/local-node.ts";
import { SURROUNDINGS } from "../../src/cli/test-support.ts";
import { DaemonClient } from "../daemon-client.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { freePorts } from "./free-ports.ts";
import type { SystemProgram } from "./system-program.ts";

const TOKEN = "only-for-tests-".repeat(3);

export interface NodeOnPort {
  readonly node: LocalNode;
  readonly port: number;
}

export class ThreeNodes implements AsyncDisposable {
  #opened: AsyncDisposableStack;
  readonly #environment: Record<string, string>;
  readonly #ports: readonly number[];
  readonly #folder: string;
  readonly nodes: readonly NodeOnPort[];

  private constructor(opened: AsyncDisposableStack, store: string, ports: readonly number[]) {
    this.#opened = opened;
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), "il-system-")));
    this.#opened.defer(() => rmSync(this.#folder, { recursive: true, force: true }));
    this.#ports = ports;
    this.#environment = {
      ...SURROUNDINGS,
      INTERLINGUA_STORE: store,
      INTERLINGUA_CLUSTER_SECRET: TOKEN,
      INTERLINGUA_TOKEN: TOKEN,
      INTERLINGUA_ALLOW_HOST: ports
        .slice(3)
        .map((port) => `127.0.0.1:${port}`)
        .join(","),
    };
    mkdirSync(join(this.#folder, "root"));
    const shared = ["--shared-root", join(this.#folder, "root")];
    this.nodes = ports
      .slice(0, 3)
      .map((port, index) => ({ port, node: this.#createNode(`node-${index + 1}`, port, shared) }));
  }

  static async start(): Promise<ThreeNodes> {
    await using opened = new AsyncDisposableStack();
    const postgres = opened.use(await startPostgres());
    const cluster = new ThreeNodes(opened, await postgres.createDatabase(), await freePorts(6));
    await Promise.all(cluster.nodes.map(({ node }) => node.start()));
    cluster.#opened = opened.move();
    return cluster;
  }

  /** Before the three nodes. It ends with them. */
  async startBalancer(name: SystemProgram, program: string): Promise<Balancer> {
    const port = this.#ports[name === "nginx" ? 3 : 4]!;
    const nodes = this.nodes.map((each) => each.port);
    return this.#opened.use(await startBalancer({ name, program, port, nodes }));
  }

  /** A node that no balancer knows, with a directory of its own. */
  async startFourth(): Promise<NodeOnPort & { readonly client: DaemonClient }> {
    const port = this.#ports[5]!;
    const root = join(this.#folder, "pinned");
    mkdirSync(root, { recursive: true });
    const node = this.#createNode("node-4", port, ["--root", root]);
    await node.start();
    return { node, port, client: this.clientOf(node.url!) };
  }

  clientOf(url: string): DaemonClient {
    return new DaemonClient({ url, token: TOKEN });
  }

  #createNode(name: string, port: number, roots: readonly string[]): LocalNode {
    const data = join(this.#folder, name);
    const flags = ["--port", String(port), "--node-name", name, "--data", data, ...roots];
    const logFile = join(this.#folder, `${name}.log`);
    const node = new LocalNode({ name, flags, environment: this.#environment, logFile });
    this.#opened.defer(() => node.end());
    return node;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }
}

/** As an upgrade does: it finishes what it has. */
export async function restart(
  { node }: NodeOnPort,
  signal: "SIGTERM" | "SIGKILL" = "SIGTERM",
): Promise<void> {
  const ended = once(node.process, "exit");
  node.process.kill(signal);
  await ended;
  await node.start();
}
