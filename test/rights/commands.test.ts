/** Each role against each method of the engine and the store, as every dialect is given them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasRight, RIGHTS, type Right, ROLES } from "../../src/core/rights.ts";
import type { Store } from "../../src/core/store.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { type Person, World } from "./world.ts";

interface Call {
  /** Undefined: everybody who has a token. `never`: nobody but who holds a token without limits. */
  right: Right | undefined | "never";
  /** Whoever lacks this is told of it first. */
  least?: Right;
  /** `CALLER` stands for whoever calls. */
  args(world: World, person: Person): Promise<unknown[]> | unknown[];
  /** Of an answer to whoever may; 200 when absent. */
  status?: number;
}

const PARTS = [{ type: "text", text: "scenario:text" }];
const PROMPT = { parts: PARTS, whenBusy: "queue" };
const onSession =
  (...rest: unknown[]) =>
  async (world: World) => [await world.session(), ...rest];

/** Every method is here: the compiler asks for a new one. */
const ENGINE: Record<keyof Engine, Call> = {
  agents: { right: "service.read", args: () => [] },
  agent: { right: "service.read", args: () => ["mock"] },
  install: { right: "agent.install", args: () => ["mock", "CALLER"], status: 422 },
  createSession: {
    right: "session.create",
    args: (world) => [{ agent: "mock", cwd: world.server.root }, "CALLER"],
  },
  getSession: { right: "session.read", args: onSession() },
  attach: { right: "session.attach", args: onSession("CALLER") },
  updateSession: { right: "session.settings", args: onSession({ title: "New" }, "CALLER") },
  deleteSession: { right: "session.delete", args: onSession("CALLER") },
  prompt: { right: "session.prompt", args: onSession(PROMPT, "CALLER") },
  interrupt: { right: "session.stop", args: onSession("CALLER") },
  edit: {
    least: "session.prompt",
    right: "session.rewrite",
    async args(world) {
      const { session, prompt } = await world.talked();
      return [session, { id: prompt, parts: PARTS }, "CALLER"];
    },
  },
  regenerate: {
    right: "session.rewrite",
    args: async (world) => [(await world.talked()).session, {}, "CALLER"],
  },
  rewind: {
    right: "session.rewrite",
    async args(world) {
      const { session, prompt } = await world.talked();
      return [session, prompt, "CALLER"];
    },
  },
  fork: { right: "session.fork", args: onSession({}, "CALLER") },
  checkpoints: { right: "session.read", args: onSession() },
  changes: { right: "session.read", args: onSession({}), status: 409 },
  restore: { right: "session.restore", args: onSession({ checkpoint: "x" }, "CALLER"), status: 409 },
  approve: { right: "session.restore", args: onSession("CALLER"), status: 409 },
  reset: { right: "session.restore", args: onSession({}, "CALLER"), status: 409 },
  checkpointUsage: { right: "service.operate", args: () => [] },
  collectGarbage: { right: "service.operate", args: () => [] },
  queue: { right: "session.read", args: onSession() },
  changeQueued: {
    right: "queue.own",
    async args(world, person) {
      const { session, message } = await world.queued(person);
      return [session, message, PARTS, "CALLER"];
    },
  },
  moveQueued: {
    right: "queue.own",
    async args(world, person) {
      const { session, message } = await world.queued(person);
      return [session, message, null, "CALLER"];
    },
  },
  sendQueued: {
    right: "queue.own",
    async args(world, person) {
      const { session, message } = await world.queued(person);
      return [session, message, "CALLER"];
    },
  },
  releaseQueue: { right: "session.prompt", args: onSession("CALLER") },
  tasks: { right: "session.read", args: onSession() },
  stopTask: { right: "session.stop", args: onSession("none", "CALLER"), status: 404 },
  withdrawQueued: {
    right: "queue.own",
    async args(world, person) {
      const { session, message } = await world.queued(person);
      return [session, message, "CALLER"];
    },
  },
  passOn: { right: "session.program", args: onSession({ type: "unknown", value: {} }, "CALLER") },
  reply: {
    right: "ask.permission",
    async args(world) {
      const { session, ask } = await world.ask("permission");
      return [session, ask, { reply: "once" }, "CALLER"];
    },
  },
  openAsks: { right: "session.read", args: onSession() },
  listAsks: { right: "session.read", args: () => [{}] },
  // A listener cannot be sent: nothing is heard.
  follow: { right: "session.read", args: onSession() },
  followAll: { right: "session.read", args: () => [] },
  health: { right: undefined, args: () => [] },
  stats: { right: "service.operate", args: () => [] },
  close: { right: "never", args: () => [] },
};

const onRows = { right: "session.read" as const };

const STORE: Record<keyof Store, Call> = {
  getSession: { ...onRows, args: onSession() },
  listSessions: { ...onRows, args: () => [{ limit: 1 }] },
  readEvents: { ...onRows, args: onSession(0, 10) },
  readRaws: { right: "session.raw", args: onSession(0, 10) },
  listMessages: { ...onRows, args: onSession({ limit: 1 }) },
  getMessage: { ...onRows, args: onSession("m") },
  getAsk: { ...onRows, args: onSession("a1") },
  openAsks: { ...onRows, args: () => [{}] },
  findKey: { ...onRows, args: () => ["open", "x"] },
  moveKey: { right: "session.settings", args: onSession({ dialect: "open", key: "x", seq: 1 }) },
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
} as unknown as Record<keyof Store, Call>;

let world: World;
const people = new Map<string, Person>();

beforeAll(async () => {
  world = await World.start();
  for (const role of ROLES) people.set(role, await world.person(role));
});

afterAll(() => world.close());

describe.each([
  ...Object.entries(ENGINE).map(([method, call]) => ["engine", method, call] as const),
  ...Object.entries(STORE).map(([method, call]) => ["store", method, call] as const),
])("%s.%s", (service, method, { right, least, args, status = 200 }) => {
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
