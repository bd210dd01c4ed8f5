/** For tests: an adapter as somebody else writes it, which fails in the way a prompt asks for. It is copied and loaded by config. */
import {
  type AdapterContext,
  type AgentOutput,
  type BackendAdapter,
  type Draft,
  InterlinguaError,
  promptText,
} from "interlingua/adapter";

export default function create({ name, options, environment, logger }: AdapterContext): BackendAdapter {
  logger.info({ name }, "made");
  return {
    name: "whatever it calls itself",
    capabilities: {
      streaming: true,
      permissions: false,
      questions: false,
      slashCommands: false,
      steer: false,
      reportsSteering: false,
      fork: false,
      resume: true,
      rewind: false,
      images: false,
      setModel: false,
      modes: [],
      moreModes: false,
      permissionModes: [],
      availability: "local",
    },
    environmentKeys: [],
    probe: async () => {
      if (options.probe === "throws") throw new Error("no probe today");
      return { installed: true, version: "1.2.3" };
    },
    async connect({ sessionId, adapterOptions = {}, agentSessionId }) {
      for (const key of Object.keys(adapterOptions))
        if (key !== "fault") throw new InterlinguaError("invalid_request", `options.${key}: is not known.`);
      if (adapterOptions.fault === "hang") return new Promise(() => {});
      if (adapterOptions.fault === "throw") throw new Error("the service is down");
      if (adapterOptions.fault === "reject-elsewhere") {
        void Promise.reject(new Error("nobody looked at this"));
        return new Promise(() => {});
      }
      if (adapterOptions.fault === "no-session") return {} as never;
      if (adapterOptions.fault === "other-id")
        return {
          sessionId: "x",
          send: async () => {},
          messages: (async function* () {})(),
          close: async () => {},
        };
      const waiting: unknown[] = [];
      let wake = () => {};
      let isOver = false;
      const put = (output: unknown) => {
        waiting.push(output);
        wake();
      };
      const say = (...drafts: Draft[]) =>
        put({ raw: { direction: "in", data: JSON.stringify(drafts) }, drafts });
      const isNameless = adapterOptions.fault === "no-id";
      if (isNameless) say({ type: "session.attached" });
      else say({ type: "session.attached", agentSessionId: agentSessionId ?? "one" });
      const answer = (text: string) =>
        say({ type: "text.delta", delta: text }, { type: "turn.ended", outcome: "completed" });
      return {
        sessionId,
        ...(isNameless && { agentSessionId: agentSessionId ?? `own-${sessionId}` }),
        messages: (async function* () {
          for (;;) {
            while (waiting.length > 0) {
              const next = waiting.shift();
              if (next === "throw") throw new Error("the stream broke");
              yield next as AgentOutput;
            }
            if (isOver) return;
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        })(),
        send(command) {
          if (command.type === "interrupt") {
            say({ type: "turn.ended", outcome: "interrupted" });
            return Promise.resolve();
          }
          if (command.type !== "prompt") return Promise.resolve();
          const text = promptText(command.parts);
          const ring: Record<string, unknown> = {};
          ring.self = ring;
          switch (text) {
            case "throw in the stream":
              put("throw");
              break;
            case "reject":
              void Promise.reject(new Error("nobody caught this"));
              break;
            case "timer":
              setTimeout(() => {
                throw new Error("thrown in a timer");
              }, 1);
              break;
            case "garbage":
              put(undefined);
              put({ raw: ring, drafts: [] });
              put({ raw: { direction: "sideways", data: 1 }, drafts: "none" });
              put({
                raw: { direction: "in", data: "x" },
                drafts: [{ type: "prompt.accepted" }, 3, null, { type: 5 }],
              });
              put({
                raw: { direction: "in", data: "x" },
                drafts: [{ type: "text.delta", delta: { not: "text" } }],
              });
              answer("after garbage");
              break;
            case "huge":
              answer("x".repeat(3_000_000));
              break;
            case "environment":
              answer(`${environment().MINE} ${JSON.stringify(options)}`);
              break;
            case "deaf":
              return new Promise(() => {});
            default:
              answer(`You said: ${text}`);
          }
          return Promise.resolve();
        },
        async close() {
          if (adapterOptions.fault === "close") await new Promise(() => {});
          isOver = true;
          wake();
        },
      };
    },
    release: async () => {},
  };
}
