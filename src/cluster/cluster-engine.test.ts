/** Commands between nodes in memory: who gets them, and what becomes of them when nodes fail. */

import { beforeEach, describe, expect, it } from "vitest";
import { InterlinguaError } from "../core/error.ts";
import type { NodeAddress } from "../core/ownership.ts";
import { type Principal, principal } from "../core/principal.ts";
import type { MessageRow } from "../core/store.ts";
import type { Engine } from "../engine/engine.ts";
import { type CommandName, sessionOf } from "../protocol/commands/index.ts";
import { notOwner, sessionMoved, sessionNotFound } from "../protocol/refusals.ts";
import { TESTER } from "../testkit/tester.ts";
import { ClusterEngine } from "./cluster-engine.ts";
import { readCommandMessage } from "./command-message.ts";
import { decodeAnswer, encodeProblem, encodeResult } from "./peers/encoded-answer.ts";
import { type PeerRoutes, type PeerTransport, PeerUnreachableError } from "./peers/peer-transport.ts";
import type { PlacementNode } from "./placement.ts";

const BY = principal("owner", "test");
const PROMPT = { parts: [{ type: "text" as const, text: "hello" }], whenBusy: "queue" as const };

type Call = [node: number, command: CommandName, input: object, caller: Principal];

/** What happens to a call of another node. */
type Fault = "refused" | "lost answer" | "silence";

/** All nodes, and what they have. */
class World {
  readonly owners = new Map<string, number | undefined>();
  readonly lastOwners = new Map<string, number>();
  readonly calls: Call[] = [];
  readonly nodes = new Map<number, PlacementNode>();
  readonly handlers = new Map<number, (body: unknown, from: number) => Promise<unknown>>();
  /** Of the next calls to a node. */
  readonly faults = new Map<number, Fault[]>();
  /** What a node throws for its next commands. */
  readonly errors = new Map<number, Error[]>();
  readonly messages = new Map<string, MessageRow>();
  /** Those that take no more sessions. */
  readonly leaving = new Set<number>();
  clock = 0;
  onPause: (() => void) | undefined;

  add(id: number): ClusterEngine {
    const url = `http://127.0.0.1:${id}`;
    const profile = { labels: {}, roots: [{ path: "/work", files: "shared" as const }], agents: ["mock"] };
    this.nodes.set(id, {
      ...{ id, url, profile, name: `node-${id}`, daemon: `daemon-${id}` },
      ...{ isDraining: false, readsFormat: 1, agents: 0, maxAgents: 10 },
    });
    let made = 0;
    const engine = new ClusterEngine({
      name: `node-${id}`,
      local: this.#local(id),
      places: {
        find: async (session) => {
          if (!this.owners.has(session)) return undefined;
          const owner = this.nodes.get(this.owners.get(session) ?? 0);
          const last = this.lastOwners.get(session);
          const needs = { agent: "mock", cwd: "/work", format: 1 };
          return {
            ...(owner && { owner: addressOf(owner) }),
            needs:
              last === undefined
                ? needs
                : { ...needs, lastDaemon: `daemon-${last}`, homeName: `node-${last}` },
          };
        },
        nodes: async () => [...this.nodes.values()],
      },
      transport: this.#transport(id),
      store: { getMessage: async (_session, message) => this.messages.get(message) },
      node: () => id,
      holds: (session) => this.owners.get(session) === id,
      newId: (prefix) => {
        made += 1;
        return `${prefix}_${id}_${made}`;
      },
      isDraining: () => this.leaving.has(id),
      now: () => this.clock,
      pause: async (milliseconds) => {
        this.clock += milliseconds;
        this.onPause?.();
      },
      random: () => 0,
    });
    const routes: PeerRoutes = {
      onCall: (_path, handler) => void this.handlers.set(id, handler),
      onOpen: () => {},
    };
    engine.serve(routes);
    return engine;
  }

  die(id: number): void {
    this.nodes.delete(id);
    this.handlers.delete(id);
  }

  /** An engine whose commands claim what is free, and say what they were given. */
  #local(id: number): Engine {
    const run = async (command: CommandName, input: object, caller: Principal) => {
      const session = sessionOf(command, input)!;
      const error = this.errors.get(id)?.shift();
      if (error) throw error;
      if (command !== "createSession" && !this.owners.has(session)) throw sessionNotFound(session);
      const owner = this.nodes.get(this.owners.get(session) ?? 0);
      if (owner && owner.id !== id) throw notOwner(session, addressOf(owner));
      this.owners.set(session, id);
      this.calls.push([id, command, input, caller]);
      return { session, command };
    };
    return { run } as unknown as Engine;
  }

  #transport(from: number): PeerTransport {
    return {
      call: async ({ id }, _path, body) => {
        const fault = this.faults.get(id)?.shift();
        const handler = this.handlers.get(id);
        if (!handler || fault === "refused")
          throw new PeerUnreachableError("refused", { mayHaveArrived: false });
        if (fault === "silence") throw new PeerUnreachableError("silence", { mayHaveArrived: true });
        // As over the wire.
        const answer = await handler(JSON.parse(JSON.stringify(body)), from).then(
          encodeResult,
          encodeProblem,
        );
        if (fault === "lost answer") throw new PeerUnreachableError("lost", { mayHaveArrived: true });
        return decodeAnswer(answer);
      },
      open: () => Promise.reject(new Error("not used")),
    };
  }
}

function addressOf({ id, name, url }: PlacementNode): NodeAddress {
  return { id, name, url: url! };
}

let world: World;
let a: ClusterEngine;
let b: ClusterEngine;

beforeEach(() => {
  world = new World();
  a = world.add(1);
  b = world.add(2);
  world.owners.set("s", 2);
});

const done = () => world.calls.map(([node, method]) => [node, method]);

describe("a command", () => {
  it("is done where its session is, with all that was given", async () => {
    await a.run("listQueue", { session: "s", after: "msg" }, TESTER);
    await a.run(
      "moveQueued",
      { session: "s", message: "m", before: null, checks: { access: BY.access } },
      BY,
    );
    await a.run("interrupt", { session: "s", hold: true }, BY);
    expect(world.calls).toEqual([
      [2, "listQueue", { session: "s", after: "msg" }, TESTER],
      [2, "moveQueued", { session: "s", message: "m", before: null, checks: { access: BY.access } }, BY],
      [2, "interrupt", { session: "s", hold: true }, BY],
    ]);
    await b.run("getSession", { session: "s" }, TESTER);
    expect(done().at(-1)).toEqual([2, "getSession"]);
  });

  it("has an id from the node that was called", async () => {
    await a.run("prompt", { session: "s", ...PROMPT }, BY);
    await a.run("prompt", { session: "s", ...PROMPT, id: "mine" }, BY);
    await a.run("forkSession", { session: "s" }, BY);
    await a.run("createSession", { agent: "mock", cwd: "/work" }, BY);
    const ids = world.calls.map(([, , input]) => (input as { id: string }).id);
    expect(ids).toEqual(["msg_1_1", "mine", "ses_1_2", "ses_1_3"]);
  });

  it("throws what it throws there", async () => {
    const problem = new InterlinguaError("ask_answered", "Too late.", { answer: { option: "once" } });
    world.errors.set(2, [problem]);
    await expect(a.run("replyToAsk", { session: "s", ask: "ask", reply: "once" }, BY)).rejects.toMatchObject({
      code: "ask_answered",
      message: "Too late.",
      extras: { answer: { option: "once" } },
    });
    await expect(a.run("getSession", { session: "none" }, TESTER)).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  it("follows a session that has moved since, and finds it there the next time", async () => {
    await a.run("getSession", { session: "s" }, TESTER);
    world.add(3);
    world.owners.set("s", 3);
    await a.run("getSession", { session: "s" }, TESTER);
    await a.run("getSession", { session: "s" }, TESTER);
    expect(done()).toEqual([
      [2, "getSession"],
      [3, "getSession"],
      [3, "getSession"],
    ]);
  });

  it("for a free session goes to who had it last; for a new one it is done here", async () => {
    world.owners.set("s", undefined);
    world.lastOwners.set("s", 2);
    await a.run("prompt", { session: "s", ...PROMPT }, BY);
    await a.run("createSession", { id: "new", agent: "mock", cwd: "/work" }, BY);
    expect(done()).toEqual([
      [2, "prompt"],
      [1, "createSession"],
    ]);
    // It exists, and is elsewhere.
    await b.run("createSession", { id: "new", agent: "mock", cwd: "/work" }, BY);
    expect(done().at(-1)).toEqual([1, "createSession"]);
  });

  it("says what is missing where no node can have the session", async () => {
    world.owners.set("s", undefined);
    for (const node of world.nodes.values())
      world.nodes.set(node.id, { ...node, profile: { ...node.profile!, agents: [] } });
    await expect(a.run("prompt", { session: "s", ...PROMPT }, BY)).rejects.toMatchObject({
      code: "node_unreachable",
      message: expect.stringContaining('no node has the agent "mock"'),
    });
    // What is known of it can be read all the same.
    await a.run("getSession", { session: "s" }, TESTER);
    expect(done()).toEqual([[1, "getSession"]]);
  });

  it("for a new session with an agent that no node knows is refused as on one daemon", async () => {
    await expect(a.run("createSession", { agent: "mok", cwd: "/work" }, BY)).rejects.toMatchObject({
      code: "agent_not_found",
      message: 'There is no agent "mok". Did you mean "mock"? There are: mock.',
    });
    expect(done()).toEqual([]);
  });
});

describe("a node that is lost", () => {
  it("before it got the command: somebody else takes it, once", async () => {
    world.die(2);
    await a.run("prompt", { session: "s", ...PROMPT }, BY);
    expect(done()).toEqual([[1, "prompt"]]);
  });

  it("after it did the command: it is given again under the same id", async () => {
    world.faults.set(2, ["lost answer"]);
    world.onPause = () => {
      world.die(2);
    };
    await a.run("prompt", { session: "s", ...PROMPT }, BY);
    expect(done()).toEqual([
      [2, "prompt"],
      [1, "prompt"],
    ]);
    const [first, second] = world.calls.map(([, , input]) => input);
    expect(second).toEqual(first);
  });

  it.each([
    ["edit", () => a.run("edit", { session: "s", id: "m", parts: PROMPT.parts }, BY)],
    ["regenerate", () => a.run("regenerate", { session: "s" }, BY)],
    ["rewind", () => a.run("rewind", { session: "s", before: "m" }, BY)],
    ["restore", () => a.run("restore", { session: "s", checkpoint: "c" }, BY)],
    ["reset", () => a.run("reset", { session: "s" }, BY)],
    ["sendQueued", () => a.run("sendQueued", { session: "s", message: "m" }, BY)],
    ["passOn", () => a.run("passOn", { session: "s", type: "x", value: 1 }, BY)],
    ["interrupt", () => a.run("interrupt", { session: "s" }, BY)],
  ])("while it did %s, which is not given twice: the caller has to look", async (_method, command) => {
    world.faults.set(2, ["silence"]);
    world.onPause = () => world.die(2);
    await expect(command()).rejects.toMatchObject({
      code: "node_unreachable",
      message: expect.stringContaining("it may be done or not"),
      extras: { retryAfterSeconds: 2 },
    });
    expect(done()).toEqual([]);
    // Where it did not arrive, it is.
    world.faults.set(2, ["refused"]);
    world.owners.set("s", 2);
    await command();
    expect(done()).toHaveLength(1);
  });

  it("while it stopped a turn that was named: the stop is given again", async () => {
    world.faults.set(2, ["silence"]);
    world.onPause = () => world.die(2);
    await a.run("interrupt", { session: "s", turn: "turn" }, BY);
    expect(done()).toEqual([[1, "interrupt"]]);
  });

  it("after it deleted: that the session is gone is what was wanted", async () => {
    world.faults.set(2, ["lost answer"]);
    world.onPause = () => void world.owners.delete("s");
    await a.run("deleteSession", { session: "s" }, BY);
    expect(done()).toEqual([[2, "deleteSession"]]);
    await expect(a.run("deleteSession", { session: "s" }, BY)).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  it("after it withdrew a prompt, or before: what the log says is told", async () => {
    const notQueued = new InterlinguaError("message_not_queued", "It is not waiting any more.");
    const row = { id: "m", role: "user" as const, firstSeq: 1, lastSeq: 2 };
    const withdraw = (state: MessageRow["state"]) => {
      world.messages.set("m", { ...row, state });
      world.owners.set("s", 2);
      world.faults.set(2, ["silence"]);
      world.onPause = () => world.owners.set("s", 1);
      world.errors.set(1, [notQueued]);
      return a.run("withdrawQueued", { session: "s", message: "m" }, BY);
    };
    await expect(withdraw("withdrawn")).resolves.toBeUndefined();
    await expect(withdraw("done")).rejects.toMatchObject({ code: "message_not_queued" });
  });

  it("and nobody says whether it did the prompt: the caller is told under which id it is done once", async () => {
    world.faults.set(
      2,
      Array.from({ length: 1000 }, () => "silence" as const),
    );
    const unknown = {
      code: "node_unreachable",
      message: expect.stringMatching(/done or not.* id "msg_1_1"/),
    };
    await expect(a.run("prompt", { session: "s", ...PROMPT }, BY)).rejects.toMatchObject(unknown);
  });

  it("and only it could go on: the command waits until somebody has ended what it left, or says what to do", async () => {
    const pinned = { labels: {}, roots: [{ path: "/work", files: "pinned" as const }], agents: ["mock"] };
    for (const node of world.nodes.values()) world.nodes.set(node.id, { ...node, profile: pinned });
    world.lastOwners.set("s", 2);
    world.faults.set(2, ["refused"]);
    let pauses = 0;
    world.onPause = () => {
      pauses += 1;
      if (pauses === 1) world.die(2);
      if (pauses === 5) world.owners.set("s", 1);
    };
    await a.run("prompt", { session: "s", ...PROMPT }, BY);
    expect(done()).toEqual([[1, "prompt"]]);

    world.owners.set("s", undefined);
    const gone = {
      code: "node_unreachable",
      message: expect.stringContaining('at the node "node-2", which is gone or going away. Start it again'),
    };
    await expect(a.run("prompt", { session: "s", ...PROMPT }, BY)).rejects.toMatchObject(gone);
    // A root for it at another node would have other files, so nobody is told to add one.
    world.nodes.set(1, { ...world.nodes.get(1)!, profile: { ...pinned, roots: [] } });
    await expect(a.run("prompt", { session: "s", ...PROMPT }, BY)).rejects.toMatchObject(gone);
    await expect(a.run("forkSession", { session: "s" }, BY)).rejects.toMatchObject(gone);
    // That somebody lacks the agent is said where the files are there.
    const shared = { labels: {}, roots: [{ path: "/work", files: "shared" as const }], agents: [] };
    world.nodes.set(1, { ...world.nodes.get(1)!, profile: shared });
    await expect(a.run("prompt", { session: "s", ...PROMPT }, BY)).rejects.toMatchObject({
      message: expect.stringContaining('no node has the agent "mock"'),
    });
  });

  it("and nobody takes its sessions over: 503 after a while", async () => {
    world.faults.set(
      2,
      Array.from({ length: 1000 }, () => "refused" as const),
    );
    await expect(a.run("prompt", { session: "s", ...PROMPT }, BY)).rejects.toMatchObject({
      code: "node_unreachable",
      extras: { retryAfterSeconds: 2 },
    });
    expect(world.clock).toBeGreaterThanOrEqual(15_000);
    expect(world.clock).toBeLessThan(20_000);
    expect(done()).toEqual([]);
  });
});

describe("a node that gives a session up", () => {
  it("because it goes: another one takes it", async () => {
    world.owners.set("s", undefined);
    world.lastOwners.set("s", 2);
    world.errors.set(2, [new InterlinguaError("shutting_down", "It goes.")]);
    await a.run("prompt", { session: "s", ...PROMPT }, BY);
    expect(done()).toEqual([[1, "prompt"]]);
  });

  it("because it goes: commands of its own clients are done elsewhere, too", async () => {
    const goes = () => new InterlinguaError("shutting_down", "It goes.", { retryAfterSeconds: 1 });
    // Until it is written that nobody has it.
    world.owners.set("s", 1);
    world.leaving.add(1);
    world.errors.set(1, [goes(), goes(), goes()]);
    let pauses = 0;
    world.onPause = () => {
      pauses += 1;
      if (pauses === 2) world.owners.set("s", undefined);
    };
    await a.run("prompt", { session: "s", ...PROMPT }, BY);
    expect(done()).toEqual([[2, "prompt"]]);
    // Before others know that it goes.
    await a.run("createSession", { id: "new", agent: "mock", cwd: "/work" }, BY);
    expect(done().at(-1)).toEqual([2, "createSession"]);
    // A daemon that stops without being told to leave says so.
    world.leaving.clear();
    world.owners.set("s", 1);
    world.errors.set(1, [goes()]);
    await expect(a.run("prompt", { session: "s", ...PROMPT }, BY)).rejects.toMatchObject({
      code: "shutting_down",
    });
  });

  it("while a command of its own clients waits: the command follows the session", async () => {
    world.errors.set(1, [sessionMoved("s")]);
    world.owners.set("s", 1);
    world.onPause = () => void world.owners.set("s", 2);
    await a.run("prompt", { session: "s", ...PROMPT }, BY);
    expect(done()).toEqual([[2, "prompt"]]);
  });
});

describe("what comes from another node", () => {
  it("is one of the known commands, or refused", async () => {
    for (const body of [
      null,
      {},
      { command: "close", input: {}, caller: BY },
      { command: "constructor", input: {}, caller: BY },
      { command: "getSession", input: "s", caller: BY },
      { command: "getSession", input: { session: "s" } },
    ])
      await expect(world.handlers.get(2)!(body, 1)).rejects.toMatchObject({ code: "unsupported" });
  });

  it("is done here or not at all: it takes no second hop", async () => {
    world.add(3);
    world.owners.set("s", 3);
    const body = { command: "getSession", input: { session: "s" }, caller: BY };
    await expect(world.handlers.get(2)!(body, 1)).rejects.toMatchObject({
      code: "not_owner",
      extras: { owner: { id: 3 } },
    });
  });

  it("cannot ask for what is about this machine", () => {
    const own = ["listAgents", "getAgent", "installAgent", "listAsks", "listWorkspaces", "collectGarbage"];
    for (const command of own)
      expect(readCommandMessage({ command, input: {}, caller: BY }), command).toBeUndefined();
  });
});
