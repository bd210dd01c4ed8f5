/** The dialect: its routes, what each of them does, and the view. The config file names this file. */
import {
  type DialectDefinition,
  defineRoute,
  InterlinguaError,
  json,
  jsonBody,
  z,
} from "interlingua/dialect";
import { createView } from "./view.ts";

const params = z.object({ session: z.string() });

const send = defineRoute({
  method: "post",
  path: "/lines/{session}",
  operationId: "send",
  right: "session.prompt",
  summary: "Send a prompt",
  request: { params, body: jsonBody(z.strictObject({ text: z.string().min(1) })) },
  responses: { 202: json("Accepted: follow after this line", z.object({ after: z.number() })) },
});

const follow = defineRoute({
  method: "get",
  path: "/lines/{session}",
  operationId: "follow",
  right: "session.read",
  summary: "Follow the conversation, after a line that the client has",
  request: { params, query: z.object({ after: z.coerce.number().int().min(0).default(0) }) },
  responses: { 200: { description: "The lines", content: { "text/plain": { schema: z.string() } } } },
});

const answer = defineRoute({
  method: "post",
  path: "/lines/{session}/asks/{ask}",
  operationId: "answer",
  // Answering a permission needs more, which the engine checks.
  right: "ask.question",
  summary: "Answer what the agent asks",
  request: {
    params: z.object({ session: z.string(), ask: z.string() }),
    body: jsonBody(z.strictObject({ option: z.string() })),
  },
  responses: { 204: { description: "Answered" } },
});

const routes = { send, follow, answer };

export default {
  description: "Lines of plain text",
  path: "/lines",
  routes,
  // Their bodies may be large.
  contentRoutes: ["send"],
  view: { scope: "session", resume: "cursor", create: createView },
  handlers: ({ engine, store, sessions }) => ({
    async send({ params, body }, { caller }) {
      const parts = [{ type: "text" as const, text: body.text }];
      const { seq } = await engine.run(
        "prompt",
        { session: params.session, parts, whenBusy: "queue" },
        caller,
      );
      return { status: 202, body: { after: seq } };
    },
    async follow({ params, query }, call) {
      // A stream has no status any more once it has begun.
      if (!(await store.getSession(params.session)))
        throw new InterlinguaError("session_not_found", `There is no session "${params.session}".`);
      const headers = { "content-type": "text/plain; charset=utf-8" };
      const closingFrame = (reason: string) => `! ${JSON.stringify(reason)}\n`;
      return call.stream({ headers, closingFrame, hasComments: false }, (sink) =>
        sessions.follow(sink, params.session, { view: createView(), after: query.after }),
      );
    },
    async answer({ params, body }, { caller }) {
      await engine.run(
        "replyToAsk",
        { session: params.session, ask: params.ask, option: body.option },
        caller,
      );
      return { status: 204 };
    },
  }),
  // A refusal in the words of this protocol; the status stays.
  describeProblem: ({ code, detail }) => ({
    body: `! ${JSON.stringify({ code, detail })}\n`,
    headers: { "content-type": "text/plain; charset=utf-8" },
  }),
} satisfies DialectDefinition<typeof routes>;
