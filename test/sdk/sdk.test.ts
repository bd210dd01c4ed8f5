/** The SDK against a real daemon in a process of its own. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { serve, stop } from "../../src/cli/test-support.ts";
import { Interlingua, InterlinguaError, type SessionEvent } from "../../src/sdk/index.ts";

const directory = mkdtempSync(join(tmpdir(), "interlingua-sdk-"));
const root = join(directory, "project");
let client: Interlingua;

beforeAll(async () => {
  mkdirSync(root);
  client = await Interlingua.start({ data: join(directory, "data"), root });
});

afterAll(async () => {
  await client?.dispose();
  rmSync(directory, { recursive: true, force: true });
});

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}

const typesOf = (events: readonly SessionEvent[]) => events.map(({ type }) => type);

describe("a start beside a daemon that runs on the data directory", () => {
  test("fails with the options of the SDK that help, not with flags of the command line, and they help", async () => {
    const data = join(directory, "served");
    const served = await serve(["--data", data, "--root", root]);
    try {
      const failure = await Interlingua.start({ data }).catch((error) => error);
      expect(InterlinguaError.is(failure, "start_failed")).toBe(true);
      expect(failure.message).toBe(
        `The daemon did not start: Another daemon (pid ${served.child.pid}, ${served.url}) already uses the data directory ${data}. Connect to it with Interlingua.start({ data: "${data}", spawn: false }), or give \`data\` another directory.`,
      );
      await using running = await Interlingua.start({ data, spawn: false });
      expect(await running.agents.default()).toBe("mock");
    } finally {
      await stop(served);
    }
  });

  test("says the same where no directory was given", async () => {
    const data = join(directory, "by-default");
    const served = await serve(["--data", data, "--root", root]);
    vi.stubEnv("INTERLINGUA_DATA", data);
    try {
      await expect(Interlingua.start()).rejects.toThrow(
        "Connect to it with Interlingua.start({ spawn: false }), or",
      );
    } finally {
      vi.unstubAllEnvs();
      await stop(served);
    }
  });
});

test("a start beside the daemon of another program was sent to spawn: false, which has no token of it", async () => {
  const data = join(directory, "of-a-program");
  await using first = await Interlingua.start({ data, root });
  const failure = await Interlingua.start({ data }).catch((error) => error);
  expect(failure.message).toContain(
    "Connect to it with Interlingua.connect({ baseUrl, token }) and the `client.token` of the program that started it, or",
  );
  const { baseUrl, token } = first;
  const second = await Interlingua.connect({ baseUrl, token });
  expect(await second.agents.default()).toBe("mock");
});

test("a start on a port in use named a flag of the command line instead of the option", async () => {
  const served = await serve(["--data", join(directory, "on-port"), "--root", root]);
  const port = Number(new URL(served.url).port);
  try {
    const data = join(directory, "same-port");
    await expect(Interlingua.start({ data, spawn: { port } })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another with spawn.port (0 picks one).`,
    );
  } finally {
    await stop(served);
  }
});

describe("a prompt", () => {
  test("gives its events, its text and its message", async () => {
    const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
    const prompt = session.prompt("scenario:text");
    const types = typesOf(await all(prompt));
    expect(types[0]).toBe("prompt.accepted");
    expect(types.at(-1)).toBe("turn.ended");
    expect(await prompt.text()).toBe("Hello from the mock agent. This is a short, plain answer.");
    expect(await prompt.message()).toMatchObject({
      role: "assistant",
      parent: prompt.id,
      content: [{ type: "text", text: await prompt.text() }],
    });
  });

  test("with the id of one that was there is not given to the agent again", async () => {
    const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
    const first = await session.prompt("scenario:echo once", { id: "mine" }).text();
    const again = await session.prompt("scenario:echo once", { id: "mine" }).text();
    expect(again).toBe(first);
    expect((await session.messages()).messages).toHaveLength(2);
  });

  test("is followed from its place in the queue on, without what others say", async () => {
    const session = await client.sessions.create({ agent: "mock", options: { pace: 1 } });
    const [one, two] = [session.prompt("scenario:echo one"), session.prompt("scenario:echo two")];
    expect(await two.text()).toContain("two");
    expect(await two.text()).not.toContain("one");
    expect(await one.text()).toContain("one");
  });

  test("waits for an answer to its ask, and goes on with it", async () => {
    const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
    const seen: string[] = [];
    for await (const event of session.prompt("scenario:approve")) {
      seen.push(event.type);
      if (event.type !== "ask.opened") continue;
      expect(await session.asks()).toMatchObject([{ ask: event.ask, kind: "permission" }]);
      await session.reply(event.ask, { reply: "once" });
    }
    expect(seen).toContain("ask.answered");
    expect(seen.at(-1)).toBe("turn.ended");
  });

  test("that fails says why", async () => {
    const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
    const failure = await session
      .prompt("scenario:crash")
      .text()
      .catch((error) => error);
    expect(failure).toMatchObject({ name: "InterlinguaError", code: "turn_failed" });
  });

  test("is left by its signal, and runs on", async () => {
    const session = await client.sessions.create({ agent: "mock", options: { pace: 1 } });
    const leaving = new AbortController();
    const prompt = session.prompt("scenario:long", { signal: leaving.signal });
    const failure = await (async () => {
      for await (const { type } of prompt) if (type === "text.delta") leaving.abort();
    })().catch((error) => error);
    expect(failure).toMatchObject({ name: "AbortError" });
    const events = session.events({ signal: AbortSignal.timeout(30_000) });
    for await (const { type } of events) if (type === "turn.ended") return;
    expect.unreachable();
  });

  test("brings what the agent really said, where that is wanted", async () => {
    const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
    const prompt = session.prompt("scenario:text", { include: "raw" });
    const { agentSessionId } = await session.attach();
    const events = await all(prompt);
    for (const { raw, rawRecord } of events) expect(rawRecord?.rawSeq).toBe(raw);
    const said = events.find(({ type }) => type === "text.delta");
    expect(said?.rawRecord).toMatchObject({ direction: "in", agentSessionId });
    const chunks = await all(prompt.uiMessageStream());
    const delta = chunks.find(({ type }) => type === "text-delta");
    expect(delta?.providerMetadata).toMatchObject({ mock: { message: {}, sessionId: agentSessionId } });
    const plain = await all(session.prompt("scenario:text"));
    expect(plain.some((event) => "rawRecord" in event)).toBe(false);
  });

  test("is stopped by interrupt", async () => {
    const session = await client.sessions.create({ agent: "mock" });
    let last: SessionEvent | undefined;
    for await (const event of session.prompt("scenario:hang")) {
      last = event;
      if (event.type === "text.delta") await session.interrupt();
    }
    expect(last).toMatchObject({ type: "turn.ended", outcome: "interrupted" });
  });
});

describe("sessions", () => {
  test("attach their agent before the first prompt", async () => {
    const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
    expect((await session.details()).attached).toBe(false);
    const { attached, models, modes, commands, settings } = await session.attach();
    expect(attached).toBe(true);
    expect([models, modes, commands, settings].map((list) => list?.length)).toEqual([2, 2, 2, 1]);
    const prompt = session.prompt("scenario:text");
    expect((await prompt.accepted).turn).toBeDefined();
    expect(typesOf(await all(prompt))).not.toContain("session.attached");
    await session.close();
    await expect(session.attach()).rejects.toMatchObject({ code: "session_closed" });
  });

  test("are listed page by page, found by words, changed, closed and deleted", async () => {
    for (const name of ["kept-1", "kept-2", "kept-3"])
      await client.sessions.create({ id: name, agent: "mock", title: "Walks in the hills" });
    const listed = await all(client.sessions.list({ limit: 2 }));
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(["kept-1", "kept-2", "kept-3"]));
    expect(await all(client.sessions.search("hills"))).toHaveLength(3);
    mkdirSync(join(root, "inner"));
    await client.sessions.create({ id: "inner", agent: "mock", cwd: join(root, "inner") });
    const inner = await all(client.sessions.list({ cwd: `${root}/inner/` }));
    expect(inner.map(({ id }) => id)).toEqual(["inner"]);
    const session = await client.sessions.get("kept-1");
    expect(await session.update({ title: "By the sea", settings: { effort: "low" } })).toMatchObject({
      title: "By the sea",
    });
    expect(await session.close()).toMatchObject({ status: "closed" });
    expect(typesOf(await all(session.events())).at(-1)).toBe("session.closed");
    await session.delete();
    const missing = await client.sessions.get("kept-1").catch((error) => error);
    expect(InterlinguaError.is(missing, "session_not_found")).toBe(true);
  });

  test("a wrong request names the field", async () => {
    const failure = await client.sessions
      .create({ agent: "mock", settings: { effort: "extreme" } })
      .catch((error) => error);
    expect(failure).toMatchObject({ code: "option_not_offered", status: 422 });
    expect(failure.errors).toMatchObject([{ path: "settings.effort" }]);
  });
});

test("the feed tells what is there and what changes", async () => {
  const leaving = new AbortController();
  const types: string[] = [];
  for await (const frame of client.feed({ signal: leaving.signal })) {
    types.push(frame.type);
    if (frame.type === "snapshot") await client.sessions.create({ id: "in-the-feed", agent: "mock" });
    if (frame.type === "session" && frame.session === "in-the-feed") leaving.abort();
  }
  expect(types[0]).toBe("snapshot");
  expect(types.at(-1)).toBe("session");
});

test("agents and usage", async () => {
  expect((await client.agents.list()).map(({ name }) => name)).toContain("mock");
  expect(await client.agents.probe("mock")).toMatchObject({ name: "mock" });
  expect(await client.usage()).toMatchObject({ total: {}, hasMore: false });
  expect(await client.health()).toHaveProperty("status");
});

describe("people", () => {
  test("have tokens that work until they are revoked", async () => {
    const session = await client.sessions.create({ agent: "mock" });
    const { id, token } = await client.tokens.create({
      name: "anna",
      role: "observer",
      sessions: [session.id],
    });
    expect(await client.tokens.list()).toMatchObject([{ id, name: "anna" }]);
    const anna = await Interlingua.connect({ baseUrl: client.baseUrl, token });
    expect(await anna.me()).toMatchObject({
      token: id,
      name: "anna",
      role: "observer",
      sessions: [session.id],
    });
    await client.tokens.revoke(id);
    await expect(anna.me()).rejects.toMatchObject({ code: "unauthorized" });
    await expect(client.tokens.revoke(id)).rejects.toMatchObject({ code: "token_not_found" });
  });

  test("come by the link of an invitation, or by its code, once", async () => {
    const { baseUrl } = client;
    const session = await client.sessions.create({ agent: "mock" });
    const [first, second] = [await session.invite({ role: "observer" }), await session.invite()];
    const anna = await Interlingua.redeem({ baseUrl: first.link, name: "Anna" });
    expect(await anna.me()).toMatchObject({ name: "Anna", role: "observer", sessions: [session.id] });
    const guest = await Interlingua.redeem({ baseUrl, code: second.code });
    expect(await guest.me()).toMatchObject({ name: "guest", role: "participant" });
    expect(guest.token).toMatch(/^itk_/);
    const again = Interlingua.redeem({ baseUrl: first.link });
    await expect(again).rejects.toMatchObject({ code: "invitation_used", status: 409 });
    await expect(Interlingua.redeem({ baseUrl })).rejects.toMatchObject({ code: "invalid_request" });

    expect(await session.invitations()).toMatchObject([{ id: first.id }, { id: second.id }]);
    await session.revokeInvitation(first.id);
    await expect(anna.me()).rejects.toMatchObject({ code: "unauthorized" });
    expect((await guest.me()).name).toBe("guest");
  });

  test("and what they did is told newest first, however many pages it takes", async () => {
    const entries = await all(client.audit({ limit: 2 }));
    const seqs = entries.map(({ seq }) => seq);
    expect(seqs.length).toBeGreaterThan(4);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => b - a));
    expect(new Set(entries.map(({ by }) => by))).toContain("Anna");
  });
});

test("nobody there is said at once", async () => {
  const failure = await Interlingua.connect({ baseUrl: "http://127.0.0.1:9", token: "x" }).catch((e) => e);
  expect(failure).toMatchObject({ code: "unreachable" });
  const refused = await Interlingua.connect({ baseUrl: client.baseUrl, token: "wrong" }).catch((e) => e);
  expect(refused).toMatchObject({ code: "unauthorized", status: 401 });
});
