/** Each role against each method of the engine and the store, as every dialect is given them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasRight, RIGHTS, type Right, ROLES } from "../../src/core/rights.ts";
import type { Store } from "../../src/core/store.ts";
import type { Engine } from "../../src/engine/engine.ts";
import type { CommandName } from "../../src/protocol/commands/index.ts";
import { type Person, World } from "./world.ts";

interface Expected {
  /** Undefined: everybody who has a token. `never`: nobody but who holds a token without limits. */
  right: Right | undefined | "never";
  /** Whoever lacks this is told of it first. */
  least?: Right;
  /** Of an answer to whoever may; 200 when absent. */
  status?: number;
}

interface Call extends Expected {
  input(world: World, person: Person): Promise<object> | object;
}

interface Method extends Expected {
  args(world: World, person: Person): Promise<unknown[]> | unknown[];
}

const PARTS = [{ type: "text", text: "scenario:text" }];
const PROMPT = { parts: PARTS, whenBusy: "queue" };
const onSession =
  (more: object = {}) =>
  async (world: World) => ({ session: await world.session(), ...more });

/** Every command is here: the compiler asks for a new one. */
const COMMANDS: Record<CommandName, Call> = {
  listAgents: { right: "service.read", input: () => ({}) },
  getAgent: { right: "service.read", input: () => ({ agent: "mock" }) },
  installAgent: { right: "agent.install", input: () => ({ agent: "mock" }), status: 422 },
  createSession: {
    right: "session.create",
    input: (world) => ({ agent: "mock", cwd: world.server.root }),
  },
  getSession: { right: "session.read", input: onSession() },
  detachSession: { right: "session.attach", input: onSession() },
  attachSession: { right: "session.attach", input: onSession() },
  updateSession: { right: "session.settings", input: onSession({ title: "New" }) },
  deleteSession: { right: "session.delete", input: onSession() },
  prompt: { right: "session.prompt", input: onSession(PROMPT) },
  interrupt: { right: "session.stop", input: onSession() },
  edit: {
    least: "session.prompt",
    right: "session.rewrite",
    async input(world) {
      const { session, prompt } = await world.talked();
      return { session, id: prompt, parts: PARTS };
    },
  },
  regenerate: {
    right: "session.rewrite",
    input: async (world) => ({ session: (await world.talked()).session }),
  },
  rewind: {
    right: "session.rewrite",
    async input(world) {
      const { session, prompt } = await world.talked();
      return { session, before: prompt };
    },
  },
  forkSession: { right: "session.fork", input: onSession() },
  listCheckpoints: { right: "session.read", input: onSession() },
  listChanges: { right: "session.read", input: onSession(), status: 409 },
  restore: { right: "session.restore", input: onSession({ checkpoint: "x" }), status: 409 },
  approve: { right: "session.restore", input: onSession(), status: 409 },
  reset: { right: "session.restore", input: onSession(), status: 409 },
  listWorkspaces: { right: "service.operate", input: () => ({}) },
  collectGarbage: { right: "service.operate", input: () => ({}) },
  listQueue: { right: "session.read", input: onSession() },
  changeQueued: {
    right: "queue.own",
    input: async (world, person) => ({ ...(await world.queued(person)), parts: PARTS }),
  },
  moveQueued: {
    right: "queue.own",
    input: async (world, person) => ({ ...(await world.queued(person)), before: null }),
  },
  sendQueued: { right: "queue.own", input: (world, person) => world.queued(person) },
  releaseQueue: { right: "session.prompt", input: onSession() },
  listTasks: { right: "session.read", input: onSession() },
  stopTask: { right: "session.stop", input: onSession({ task: "none" }), status: 404 },
  withdrawQueued: { right: "queue.own", input: (world, person) => world.queued(person) },
  passOn: { right: "session.program", input: onSession({ type: "unknown", value: {} }) },
  replyToAsk: {
    right: "ask.permission",
    input: async (world) => ({ ...(await world.ask("permission")), reply: "once" }),
  },
  listAsks: { right: "session.read", input: () => ({}) },
};

/** What is no command. */
const ENGINE: Record<Exclude<keyof Engine, "run">, Method> = {
  // A listener cannot be sent: nothing is heard.
  follow: { right: "session.read", args: async (world) => [await world.session()] },
  followAll: { right: "session.read", args: () => [] },
  health: { right: undefined, args: () => [] },
  stats: { right: "service.operate", args: () => [] },
  close: { right: "never", args: () => [] },
};

const inSession =
  (...rest: unknown[]) =>
  async (world: World) => [await world.session(), ...rest];

const onRows = { right: "session.read" as const };

const STORE: Record<keyof Store, Method> = {
  getSession: { ...onRows, args: inSession() },
  listSessions: { ...onRows, args: () => [{ limit: 1 }] },
  readEvents: { ...onRows, args: inSession(0, 10) },
  readRaws: { right: "session.raw", args: inSession(0, 10) },
  listMessages: { ...onRows, args: inSession({ limit: 1 }) },
  getMessage: { ...onRows, args: inSession("m") },
  getAsk: { ...onRows, args: inSession("a1") },
  openAsks: { ...onRows, args: () => [{}] },
  findKey: { ...onRows, args: () => ["open", "x"] },
  moveKey: { right: "session.settings", args: inSession({ dialect: "open", key: "x", seq: 1 }) },
  searchMessages: { ...onRows, args: () => [{ words: "hello", limit: 1 }] },
  usage: { ...onRows, args: () => [{ limit: 1 }] },
  health: { right: undefined, args: () => [] },
  ...Object.fromEntries(
    [
      ...["append", "loadState", "readMemory", "unfinishedSessions", "deleteSession", "check", "close"],
      ...[
        "listTokens",
        "addToken",
        "noteTokenUse",
        "removeToken",
        "listInvitations",
        "getInvitation",
        "addInvitation",
      ],
      ...["redeemInvitation", "removeInvitation", "removeExpired", "appendAudit", "readAudit"],
    ].map((name) => [name, { right: "never", args: () => ["x"] }]),
  ),
} as unknown as Record<keyof Store, Method>;

let world: World;
const people = new Map<string, Person>();

beforeAll(async () => {
  world = await World.start();
  for (const role of ROLES) people.set(role, await world.person(role));
});

afterAll(() => world.close());

describe.each([
  ...Object.entries(COMMANDS).map(([command, { input, ...expected }]) => {
    const args = async (to: World, person: Person) => [command, await input(to, person), "CALLER"];
    return ["engine", "run", { ...expected, args } as Method, command] as const;
  }),
  ...Object.entries(ENGINE).map(([method, call]) => ["engine", method, call, ""] as const),
  ...Object.entries(STORE).map(([method, call]) => ["store", method, call, ""] as const),
])("%s.%s %4$s", (service, method, { right, least, args, status = 200 }) => {
  // Whoever holds a token without limits has the engine itself, whose end would be that of the test.
  const roles = right === "never" ? ROLES.filter((role) => role !== "owner") : ROLES;

  test.each(roles)("by %s", async (role) => {
    const person = people.get(role)!;
    const isAllowed = right === undefined || (right !== "never" && hasRight(person, right));
    const body = { args: await args(world, person) };
    const answer = await world.call(person, "POST", `/open/api/${service}/${method}`, body);
    if (isAllowed) return expect([answer.status, answer.text]).toEqual([status, answer.text]);
    const lacked = least !== undefined && !hasRight(person, least) ? least : right!;
    const action = lacked === "never" ? "service.operate" : lacked;
    expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
    expect(answer.body.detail).toContain(`needs the role ${RIGHTS[action].role}`);
    expect(await world.refusals(person)).toContainEqual(
      expect.objectContaining({ action, dialect: "open", outcome: "refused" }),
    );
  });
});

test.each(["nothing", "constructor", "__proto__"])("the command %s is unknown to everybody", async (name) => {
  for (const [role, person] of people) {
    const body = { args: [name, {}, "CALLER"] };
    const answer = await world.call(person, "POST", "/open/api/engine/run", body);
    const expected = role === "owner" ? [422, "unsupported"] : [403, "forbidden"];
    expect([answer.status, answer.body.code], role).toEqual(expected);
  }
});

test("the store's methods are all in the table", () => {
  const { store } = world.server;
  const names = new Set<string>();
  for (let prototype = Object.getPrototypeOf(store); prototype !== Object.prototype; ) {
    for (const name of Object.getOwnPropertyNames(prototype)) names.add(name);
    prototype = Object.getPrototypeOf(prototype);
  }
  for (const name of ["constructor", "removeInvitationsOf"]) names.delete(name);
  expect([...names].sort()).toEqual(Object.keys(STORE).sort());
});
