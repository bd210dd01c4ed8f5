import { usageCsv } from "../../core/usage-csv.ts";
import { UsageGroups } from "../../core/usage-groups.ts";
import { openApiDocument } from "../../protocol/openapi-document.ts";
import { invalidField } from "../../protocol/refusals.ts";
import { encodePage } from "../answers/answer-page.ts";
import { sendList } from "../answers/send-json.ts";
import { decodeUsageCursor, encodeUsageCursor } from "../answers/usage-cursor.ts";
import { callerOf } from "../guard/caller.ts";
import type { AppContext, Handlers } from "../mount.ts";
import { streamInstallation } from "../streams/stream-installation.ts";
import type { HandlerDependencies } from "./index.ts";

type ServiceHandlers = Pick<
  Handlers,
  | "listAgents"
  | "installAgent"
  | "getUsage"
  | "getHealth"
  | "getLiveness"
  | "getReadiness"
  | "listNodes"
  | "getOpenApi"
  | "getMetrics"
>;

/** How many rows of usage are read at once. */
const USAGE_ROWS = 1000;

const MAX_CSV_ROWS = 50_000;
const CSV_HEADERS = {
  "content-type": "text/csv; charset=utf-8",
  "content-disposition": 'attachment; filename="interlingua-usage.csv"',
};

function accepts(context: AppContext, type: string): boolean {
  return context.req.header("accept")?.includes(type) ?? false;
}

/** A page whose name was rebound to this machine learns the status and nothing more. */
function detailsFor<Details extends object>(context: AppContext, details: Details): Partial<Details> {
  return context.get("isStranger") ? {} : details;
}

export function serviceHandlers(dependencies: HandlerDependencies): ServiceHandlers {
  const { engine, store, config, metrics, nodes, fanOut, slices, dialects, threadPool } = dependencies;
  const { version, defaultAgent, isDefaultAgentConfigured = false } = config;
  let document: ReturnType<typeof openApiDocument> | undefined;

  /** From memory: asks nobody, so it never waits. */
  function findFailure() {
    const { ok, problem } = engine.health();
    if (!ok) return { problem, code: "store_unavailable" } as const;
    const stored = store.health().problem;
    if (stored !== undefined) return { problem: stored, code: "database_damaged" } as const;
    const blocked = threadPool.problem;
    return blocked === undefined ? undefined : ({ problem: blocked, code: "thread_pool_blocked" } as const);
  }

  return {
    async listAgents(_, context) {
      const agents = await engine.run("listAgents", {}, callerOf(context));
      const body = { agents, default: defaultAgent, isDefaultConfigured: isDefaultAgentConfigured };
      return { status: 200, body };
    },

    async installAgent({ params }, context) {
      if (accepts(context, "text/event-stream")) {
        return streamInstallation({ engine, fanOut }, params.agent, context);
      }
      await engine.run("installAgent", { agent: params.agent }, callerOf(context));
      return { status: 200, body: await engine.run("getAgent", { agent: params.agent }, callerOf(context)) };
    },

    async getUsage({ query }, context) {
      const { by, cursor, format, ...filter } = query;
      const agents = await engine.run("listAgents", {}, callerOf(context));
      const played = new Set(
        agents.flatMap(({ name, capabilities }) => (capabilities.playMoney ? [name] : [])),
      );
      const groups = new UsageGroups(by, (agent) => played.has(agent));
      for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
        const page = await store.usage({ ...filter, limit: USAGE_ROWS, cursor: next });
        for (const row of page.rows) groups.add(row);
        next = page.cursor;
        await slices.pause();
      }
      const wanted = groups.after(
        cursor === undefined ? undefined : decodeUsageCursor(cursor, groups.keys.length),
      );
      const isCsv = format === "csv" || (format === undefined && accepts(context, "text/csv"));
      if (isCsv) {
        const rows = wanted.map(({ group }) => group);
        if (rows.length > MAX_CSV_ROWS)
          throw invalidField(
            "from",
            `leaves ${rows.length} rows, and a file has at most ${MAX_CSV_ROWS}`,
            "Ask for fewer days with `from` and `to`, or for fewer keys in `by`.",
          );
        return context.body(usageCsv(groups.keys, rows), 200, CSV_HEADERS);
      }
      const { items, isCut } = await encodePage(wanted, slices, ({ group }) => JSON.stringify(group));
      return sendList(context, "rows", items, {
        total: groups.total,
        hasMore: isCut,
        cursor: isCut ? encodeUsageCursor(wanted[items.length - 1]!.place) : undefined,
      });
    },

    getHealth() {
      const failure = findFailure();
      if (failure) return { status: 503, body: { status: "failing", version, ...failure } };
      // Only the number, because this route needs no token.
      const damaged = store.health().damagedSessions.length;
      return {
        status: 200,
        body: { status: "ok", version, ...(damaged > 0 && { damagedSessions: damaged }) },
      };
    },

    getLiveness: (_, context) => ({
      status: 200,
      body: { status: "ok", ...detailsFor(context, { version }) },
    }),

    getReadiness(_, context) {
      const readiness = nodes.readiness();
      if (!readiness.ready) {
        const { state, problem } = readiness;
        return { status: 503, body: { status: state, ...detailsFor(context, { version, problem }) } };
      }
      const failure = findFailure();
      if (failure)
        return { status: 503, body: { status: "failing", ...detailsFor(context, { version, ...failure }) } };
      return { status: 200, body: { status: "ok", ...detailsFor(context, { version }) } };
    },

    async listNodes() {
      return { status: 200, body: { nodes: await nodes.list() } };
    },

    getOpenApi() {
      document ??= openApiDocument(version, dialects);
      return { status: 200, body: { ...document } };
    },

    getMetrics: (_, context) =>
      context.text(metrics.text(), 200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }),
  };
}
