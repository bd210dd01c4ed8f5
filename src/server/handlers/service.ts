import { openApiDocument } from "../../protocol/openapi-document.ts";
import type { Handlers } from "../mount.ts";
import { streamInstallation } from "../streams/stream-installation.ts";
import { groupUsage } from "../usage-groups.ts";
import type { HandlerDependencies } from "./index.ts";

type ServiceHandlers = Pick<
  Handlers,
  "listAgents" | "getAgent" | "installAgent" | "getUsage" | "getHealth" | "getOpenApi" | "getMetrics"
>;

export function serviceHandlers(dependencies: HandlerDependencies): ServiceHandlers {
  const { engine, store, config, metrics, fanOut, dialects } = dependencies;
  const { version, defaultAgent } = config;
  let document: ReturnType<typeof openApiDocument> | undefined;

  return {
    listAgents: () => ({ status: 200, body: { agents: engine.agents(), default: defaultAgent } }),

    async getAgent({ params }) {
      return { status: 200, body: await engine.agent(params.agent) };
    },

    async installAgent({ params }, context) {
      if (context.req.header("accept")?.includes("text/event-stream")) {
        return streamInstallation({ engine, fanOut }, params.agent, context);
      }
      await engine.install(params.agent);
      return { status: 200, body: await engine.agent(params.agent) };
    },

    async getUsage({ query }) {
      const { by, ...filter } = query;
      return { status: 200, body: groupUsage(await store.usage(filter), by) };
    },

    getHealth() {
      const { ok, problem } = engine.health();
      const stored = store.health();
      if (!ok || stored.problem !== undefined)
        return { status: 503, body: { status: "failing", version, problem: problem ?? stored.problem } };
      // How many, not which: this needs no token.
      const damaged = stored.damagedSessions.length;
      return {
        status: 200,
        body: { status: "ok", version, ...(damaged > 0 && { damagedSessions: damaged }) },
      };
    },

    getOpenApi() {
      document ??= openApiDocument(version, dialects);
      return { status: 200, body: { ...document } };
    },

    getMetrics: (_, context) =>
      context.text(metrics.text(), 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }),
  };
}
