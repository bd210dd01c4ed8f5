import { UsageGroups } from "../../core/usage-groups.ts";
import { openApiDocument } from "../../protocol/openapi-document.ts";
import { encodePage } from "../answer-page.ts";
import { callerOf } from "../caller.ts";
import type { Handlers } from "../mount.ts";
import { sendList } from "../send-json.ts";
import { streamInstallation } from "../streams/stream-installation.ts";
import { decodeUsageCursor, encodeUsageCursor } from "../usage-cursor.ts";
import type { HandlerDependencies } from "./index.ts";

type ServiceHandlers = Pick<
  Handlers,
  "listAgents" | "getAgent" | "installAgent" | "getUsage" | "getHealth" | "getOpenApi" | "getMetrics"
>;

/** How many rows of usage are read at once. */
const USAGE_ROWS = 1000;

export function serviceHandlers(dependencies: HandlerDependencies): ServiceHandlers {
  const { engine, store, config, metrics, fanOut, slices, dialects } = dependencies;
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
      await engine.install(params.agent, callerOf(context));
      return { status: 200, body: await engine.agent(params.agent) };
    },

    async getUsage({ query }, context) {
      const { by, cursor, ...filter } = query;
      const groups = new UsageGroups(by);
      for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
        const page = await store.usage({ ...filter, limit: USAGE_ROWS, cursor: next });
        for (const row of page.rows) groups.add(row);
        next = page.cursor;
        await slices.pause();
      }
      const wanted = groups.after(
        cursor === undefined ? undefined : decodeUsageCursor(cursor, groups.keys.length),
      );
      const { items, isCut } = await encodePage(wanted, slices, ({ group }) => JSON.stringify(group));
      return sendList(context, "rows", items, {
        total: groups.total,
        hasMore: isCut,
        cursor: isCut ? encodeUsageCursor(wanted[items.length - 1]!.place) : undefined,
      });
    },

    getHealth() {
      const { ok, problem } = engine.health();
      const stored = store.health();
      if (!ok || stored.problem !== undefined)
        return { status: 503, body: { status: "failing", version, problem: problem ?? stored.problem } };
      // Only the number, because this route needs no token.
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
