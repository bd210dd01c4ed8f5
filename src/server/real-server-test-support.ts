/** A server with everything real: engine, store in memory, and the mock agent as a child process. */

import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentContext } from "../agents/agent-context.test-support.ts";
import { createAgents } from "../agents/registry.ts";
import type { BackendAdapter } from "../core/adapter.ts";
import type { SessionEvent } from "../core/event.ts";
import type { AnyDialect } from "../dialects/dialect.ts";
import { DIALECTS } from "../dialects/registry.ts";
import { createEngine } from "../engine/create-engine.ts";
import type { Engine } from "../engine/engine.ts";
import type { EngineLimits } from "../engine/limits.ts";
import { createProcessHost } from "../process/local-process-host.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { openFileLister } from "../workspace/list-files.ts";
import type { ServerConfig } from "./config.ts";
import type { DialectPort } from "./dialect-port/dialect-port.ts";
import {
  type Answer,
  type CallOptions,
  call,
  StreamClient,
  type StreamOptions,
} from "./http-client-test-support.ts";
import { startServer } from "./listen/http-server.ts";
import { testConfig } from "./synthetic-server-test-support.ts";

export interface RealServer {
  url: string;
  port: number;
  /** Those beside the main one. */
  ports: number[];
  /** The one root, with no links in its path. */
  root: string;
  engine: Engine;
  store: MemoryStore;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  open(path: string, options?: StreamOptions): Promise<StreamClient>;
  close(): Promise<void>;
}

/** `more` are agents beside those there always are, `portsOf` ports beside the main one. */
export async function startRealServer(
  config: Partial<ServerConfig> = {},
  more: Readonly<Record<string, BackendAdapter>> = {},
  portsOf: (root: string) => DialectPort[] = () => [],
  dialects: readonly AnyDialect[] = DIALECTS,
  limits: Partial<EngineLimits> = {},
): Promise<RealServer> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-server-")));
  const store = new MemoryStore();
  const processHost = createProcessHost({ daemonId: randomUUID(), environment: process.env });
  const agents = new Map([
    ...createAgents(agentContext(processHost, `${root}-data`)),
    ...Object.entries(more),
  ]);
  const keysOf = (event: SessionEvent) =>
    dialects.flatMap(({ name, keys }) => keys?.(event).map((key) => ({ dialect: name, key })) ?? []);
  const engine = await createEngine({ store, agents, keysOf, limits });
  const server = await startServer({
    engine,
    store,
    dialects,
    config: testConfig({ roots: [root], ...config }),
    files: openFileLister(),
    ports: portsOf(root),
  });
  const clients: StreamClient[] = [];
  return {
    url: server.url,
    port: server.port,
    ports: server.ports.map(({ port }) => port),
    root,
    engine,
    store,
    call: (method, path, options) => call(server.url, method, path, options),
    async open(path, options) {
      const client = await StreamClient.open(server.url, path, options);
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) client.close();
      await server.close();
      await engine.close();
      await processHost.close();
      for (const directory of [root, `${root}-data`]) rmSync(directory, { recursive: true, force: true });
    },
  };
}
