/** A dialect with a socket that answers, and one that follows a log. */
import type { AnyDialect, Channel, View } from "../../dialects/dialect.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";

export interface EchoDialect extends AnyDialect {
  /** Those that were opened. */
  readonly channels: NonNullable<AnyDialect["channels"]>;
  readonly opened: Channel[];
  /** How many events views have seen. */
  folded: number;
}

/** Each event is two frames. */
function createView(dialect: EchoDialect): View {
  return {
    add: ({ seq, type }) => {
      dialect.folded += 1;
      return [{ text: `{"seq":${seq}}` }, { text: `{"seq":${seq},"type":"${type}"}` }];
    },
  };
}

export function createEchoDialect(): EchoDialect {
  const dialect: EchoDialect = {
    name: "echo",
    description: "For tests",
    path: "/echo",
    routes: {},
    contentRoutes: [],
    handlers: () => ({}),
    view: { scope: "session", resume: "cursor", create: () => createView(dialect) },
    opened: [],
    folded: 0,
    channels: [
      {
        path: "/echo/{id}",
        right: "session.read",
        handler: () => async (call) => {
          if (call.params.id === "missing") throw sessionNotFound("missing");
          return async (channel) => {
            dialect.opened.push(channel);
            if (call.params.id === "broken") throw new Error("broken on purpose");
            if (call.params.id === "silent") return;
            channel.onMessage(async (text) => {
              if (text === "fail") throw new Error("failed on purpose");
              if (text === "end") return channel.end("é".repeat(100), 4000);
              channel.writeText(`${call.caller.name}: ${text.slice(0, 100)}`);
            });
          };
        },
      },
      {
        path: "/echo/{id}/log",
        right: "session.read",
        handler:
          ({ sessions }) =>
          async ({ params, query }) =>
          (channel) => {
            const after = Number(query.get("after") ?? 0);
            const shared = {
              key: "echo",
              restart: async (from: number) => ({ view: createView(dialect), from }),
            };
            sessions.follow(channel, params.id!, {
              view: createView(dialect),
              after,
              ...(query.has("shared") && { shared }),
            });
          },
      },
    ],
  };
  return dialect;
}
