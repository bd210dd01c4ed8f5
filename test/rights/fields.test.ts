/** Fields that need more than the route they are sent to: each role against each of them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasRight, RIGHTS, type Right, ROLES } from "../../src/core/rights.ts";
import { chat } from "./samples.ts";
import { type Person, World } from "./world.ts";

interface Field {
  /** Of the route. */
  least: Right;
  right: Right;
  /** Checked before that one. */
  before?: Right;
  method?: string;
  /** The name of the field in the refusal. */
  path?: string;
  request(world: World): Promise<{ path: string; body?: unknown }> | { path: string; body?: unknown };
}

const creating = (field: object, right: Right, path = Object.keys(field)[0]): Field => ({
  least: "session.create",
  right,
  path,
  request: () => ({ path: "/v1/sessions", body: { agent: "mock", ...field } }),
});

const updating = (field: object, right: Right, path = Object.keys(field)[0]): Field => ({
  least: "session.settings",
  right,
  method: "PATCH",
  path,
  request: async (world) => ({ path: `/v1/sessions/${await world.session()}`, body: field }),
});

const prompting = (route: string, settings: object, right: Right, path: string): Field => ({
  least: "session.prompt",
  right,
  path,
  request: async (world) => ({
    path: `/v1/sessions/${await world.session()}/${route}`,
    body: { text: "scenario:text", settings },
  }),
});

const chatting = (field: object, right: Right, path?: string): Field => ({
  least: "session.prompt",
  right,
  path,
  request: async (world) => ({
    path: "/api/chat",
    body: chat(await world.session(), "scenario:text", field),
  }),
});

const reading = (path: (world: World) => Promise<string>): Field => ({
  least: "session.read",
  right: "session.raw",
  method: "GET",
  path: "include",
  request: async (world) => ({ path: await path(world) }),
});

const replying = (kind: "permission" | "question" | "plan", right: Right): Field => ({
  least: "ask.question",
  right,
  async request(world) {
    const { session, ask } = await world.ask(kind);
    const body = kind === "question" ? { answers: { q1: ["yes"] } } : { reply: "once" };
    return { path: `/v1/sessions/${session}/asks/${ask}/reply`, body };
  },
});

const FIELDS: Record<string, Field> = {
  "env of a new session": creating({ env: { A: "1" } }, "session.program"),
  "mcpServers of a new session": creating({ mcpServers: {} }, "session.program"),
  "options of a new session": creating({ options: { pace: 0 } }, "session.program"),
  "install of a new session": creating({ install: "never" }, "session.program"),
  "bypass for a new session": creating({ permissionMode: "bypass" }, "session.bypass"),
  "another permission mode for a new session": creating({ permissionMode: "acceptEdits" }, "session.create"),
  "env of a session": updating({ env: { A: "1" } }, "session.program"),
  "bypass for a session": updating({ permissionMode: "bypass" }, "session.bypass"),
  "the end of a session": updating({ status: "closed" }, "session.close"),
  "the title of a session": updating({ title: "New" }, "session.settings"),
  "settings of a prompt": prompting("messages", { effort: "high" }, "session.settings", "settings"),
  "settings of a streamed prompt": prompting(
    "messages/stream",
    { effort: "high" },
    "session.settings",
    "settings",
  ),
  "the model of a chat": chatting({ model: "mock-fast" }, "session.settings"),
  "bypass for a chat": {
    ...chatting({ permissionMode: "bypass" }, "session.bypass", "permissionMode"),
    before: "session.settings",
  },
  "raw records with events": reading(
    async (world) => `/v1/sessions/${await world.session()}/events?include=raw`,
  ),
  "raw records in a stream": reading(
    async (world) => `/v1/sessions/${await world.session()}/events/sse?include=raw`,
  ),
  "raw records of a message": reading(async (world) => {
    const { session, answer } = await world.talked();
    return `/v1/sessions/${session}/messages/${answer}?include=raw`;
  }),
  "raw records in a stream of a chat": reading(async (world) => {
    const { session, answer } = await world.talked();
    return `/api/chat/${session}/messages/${answer}/stream?include=raw`;
  }),
  "a permission": replying("permission", "ask.permission"),
  "a question": replying("question", "ask.question"),
  "a plan": replying("plan", "ask.plan"),
};

let world: World;
const people = new Map<string, Person>();

beforeAll(async () => {
  world = await World.start();
  for (const role of ROLES) people.set(role, await world.person(role));
});

afterAll(() => world.close());

describe.each(Object.entries(FIELDS))(
  "%s",
  (_, { least, right, before = least, path, method = "POST", request }) => {
    test.each(ROLES)("by %s", async (role) => {
      const person = people.get(role)!;
      const { path: url, body } = await request(world);
      const answer = await world.call(person, method, url, body);
      const lacks = [least, before, right].find((each) => !hasRight(person, each));
      if (lacks === undefined) return expect(answer.status, answer.text).toBeLessThan(300);
      expect(answer.status, answer.text).toBe(403);
      expect(answer.text).toContain(`needs the role ${RIGHTS[lacks].role}`);
      // The AI SDK shows its users a sentence.
      if (path !== undefined && lacks === right && lacks !== least && url.startsWith("/v1/"))
        expect(answer.body.errors).toEqual([{ path, message: `needs the role ${RIGHTS[right].role}` }]);
      expect((await world.refusals(person)).map(({ action }) => action)).toContain(lacks);
    });
  },
);
