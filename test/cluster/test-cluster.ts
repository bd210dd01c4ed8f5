/**
 * What a test file of the cluster stands on: a PostgreSQL with a database, temporary directories, nodes on it, and the end of
 * all of them. What is asked of nodes is in node-sessions.ts.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../src/testkit/eventually.ts";
import { startPostgres, type TestPostgres, type TestPostgresOptions } from "../postgres/start-postgres.ts";
import { type FlakyProxy, startFlakyProxy } from "./flaky-proxy.ts";
import { startNode, type TestNode, type TestNodeOptions } from "./start-node.ts";

export class TestCluster implements AsyncDisposable {
  readonly postgres: TestPostgres;
  /** The address of the database. */
  readonly store: string;
  readonly #nodes: TestNode[] = [];
  #opened = new AsyncDisposableStack();
  #root: string | undefined;

  private constructor(postgres: TestPostgres, store: string) {
    this.postgres = postgres;
    this.store = store;
  }

  /** No node runs yet. */
  static async start(options?: TestPostgresOptions): Promise<TestCluster> {
    const postgres = await startPostgres(options);
    return new TestCluster(postgres, await postgres.createDatabase());
  }

  /** Where sessions work at every node that is not told otherwise: another directory after `clear`. */
  get root(): string {
    this.#root ??= this.temporary();
    return this.#root;
  }

  /** The nodes in the order in which they came up, also those that have ended since. */
  get nodes(): readonly TestNode[] {
    return this.#nodes;
  }

  /** A new directory, which is removed with the rest. */
  temporary(): string {
    // Daemons say where they are without links, and some tests compare that.
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "il-cluster-")));
    this.#opened.defer(() => rmSync(directory, { recursive: true, force: true }));
    return directory;
  }

  /** A node with a data directory of its own, on the database and the root of all, where it is not told otherwise. */
  async startNode(options: Partial<TestNodeOptions> = {}): Promise<TestNode> {
    const { data = this.temporary(), root = this.root, store = this.store } = options;
    const node = await startNode({ ...options, data, root, store });
    this.#nodes.push(node);
    return node;
  }

  /** A way to PostgreSQL, or to another port, that can be cut. */
  async startProxy(port = this.postgres.port): Promise<FlakyProxy> {
    return this.use(await startFlakyProxy(port));
  }

  /** The address of the database by way of a proxy. */
  storeBehind({ port }: FlakyProxy): string {
    return this.postgres.url(this.database, port);
  }

  /** The name of the database. */
  get database(): string {
    return new URL(this.store).pathname.slice(1);
  }

  /** Runs one statement in the database. */
  query<Row>(sql: string): Promise<Row[]> {
    return this.postgres.query<Row>(sql, this.database);
  }

  /** What is given here ends after the nodes, the last first. */
  use<Resource extends AsyncDisposable>(resource: Resource): Resource {
    return this.#opened.use(resource);
  }

  /** As `use`, for what ends in another way. */
  defer(end: () => unknown): void {
    this.#opened.defer(async () => void (await end()));
  }

  /** As after `start`, for the next test: nothing runs, nothing lies about, and the database is empty. */
  async clear(): Promise<void> {
    try {
      await this.#endAll();
    } finally {
      await this.postgres.empty(this.store);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#endAll();
    } finally {
      await this.postgres[Symbol.asyncDispose]();
    }
  }

  async #endAll(): Promise<void> {
    const [nodes, opened] = [this.#nodes.splice(0), this.#opened];
    this.#opened = new AsyncDisposableStack();
    this.#root = undefined;
    try {
      for (const node of nodes) node.kill("SIGKILL");
      await Promise.all(nodes.map(({ ended }) => ended));
      // Their reapers end them, and they write into the directories until then.
      for (const node of nodes)
        await eventually("its agents are gone", async () => (await node.agents()).length === 0);
    } finally {
      await opened.disposeAsync();
    }
  }
}
