/** Acts that must not succeed, by every way around the table that somebody thought of. Each names what must not have happened. */
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import { eventOf } from "../../src/core/encoded-event.ts";
import { StreamClient } from "../../src/server/http-client-test-support.ts";
import { TESTER } from "../../src/testkit/tester.ts";
import { until } from "../../src/testkit/until.ts";
import { chat } from "./samples.ts";
import { type Answer, type Person, World } from "./world.ts";

let world: World;
let observer: Person;
let participant: Person;
let operator: Person;

beforeAll(async () => {
  world = await World.start();
  observer = await world.person("observer");
  participant = await world.person("participant");
  operator = await world.person("operator");
});

afterAll(async () => {
  // Whatever was tried, no log is the worse for it.
  const { sessions } = await world.server.store.listSessions({ limit: 1000 });
  for (const { id } of sessions) expect(checkLog(await eventsOf(id))).toEqual([]);
  await world.close();
});

async function eventsOf(session: string) {
  return (await world.server.store.readEvents(session, 0, 10_000)).events.map(eventOf);
}

const head = async (session: string) => (await world.server.store.getSession(session))!.head;
const rowOf = (session: string) => world.server.store.getSession(session);
const isOpen = async (session: string) =>
  (await world.server.engine.run("listAsks", { session }, TESTER)).asks.length > 0;

function expectForbidden({ status, text }: Answer): void {
  expect(status, text).toBe(403);
  expect(text).toContain("needs");
}

function expectUnknown({ status, text }: Answer, session: string): void {
  expect(status, text).toBe(404);
  expect(text).toContain(`There is no session \\"${session}\\"`);
}

async function stream(person: Person, path: string): Promise<StreamClient> {
  return StreamClient.open(world.server.url, path, { headers: { authorization: `Bearer ${person.token}` } });
}

describe("what a role lacks", () => {
  test("1. an observer prompts through the AI SDK", async () => {
    const session = await world.session();
    const before = await head(session);
    expectForbidden(await world.call(observer, "POST", "/api/chat", chat(session, "hello")));
    expect(await head(session)).toBe(before);
  });

  test("2. an observer prompts through AgentSmithy", async () => {
    const session = await world.session();
    const before = await head(session);
    const body = {
      messages: [{ role: "user", content: "hello" }],
      dialog_id: await world.dialog(session),
      stream: false,
    };
    expectForbidden(await world.call(observer, "POST", "/agentsmithy/api/chat", body));
    expect(await head(session)).toBe(before);
  });

  test("3. a participant makes a session by chatting with an id that is free", async () => {
    const id = world.newId();
    expectForbidden(await world.call(participant, "POST", "/api/chat", chat(id, "hello")));
    expect(await rowOf(id)).toBeUndefined();
  });

  test("4. a participant makes a dialog by chatting without naming one", async () => {
    const { sessions } = await world.server.store.listSessions({ limit: 1000 });
    const body = { messages: [{ role: "user", content: "hello" }], stream: false };
    const answer = await world.call(participant, "POST", "/agentsmithy/api/chat", body);
    expectForbidden(answer);
    expect((await world.server.store.listSessions({ limit: 1000 })).sessions).toHaveLength(sessions.length);
  });

  test("5. a participant approves a plan by a text that says yes", async () => {
    const { session } = await world.ask("plan");
    const options = (await world.server.engine.run("listAsks", { session }, TESTER)).asks[0]!.options;
    const yes = options.find(({ effect }) => effect === "once")!;
    for (const text of [yes.id, yes.label, "yes", "1"]) {
      const body = {
        messages: [{ role: "user", content: text }],
        dialog_id: await world.dialog(session),
        stream: true,
      };
      await world.call(participant, "POST", "/agentsmithy/api/chat", body);
    }
    expect(await isOpen(session)).toBe(true);
  });

  test("6. a participant allows a tool by a text, or by an answer to a question", async () => {
    const { session, ask } = await world.ask("permission");
    const path = `/v1/sessions/${session}/questions/${ask}/reply`;
    expectForbidden(await world.call(participant, "POST", path, { answers: { q1: ["allow"] } }));
    const said = await world.call(participant, "POST", `/v1/sessions/${session}/messages`, { text: "allow" });
    expect(said.status).toBe(202);
    expect(await isOpen(session)).toBe(true);
  });

  test("7. a participant allows a tool by the approval of a stock AI SDK client", async () => {
    const { session, ask } = await world.ask("permission");
    const approval = { id: ask, approved: true };
    const part = { type: "dynamic-tool", toolName: "x", toolCallId: "c1", input: {}, approval };
    const messages = [{ id: "a1", role: "assistant", parts: [{ ...part, state: "approval-responded" }] }];
    const answer = await world.call(participant, "POST", "/api/chat", { id: session, messages });
    expectForbidden(answer);
    expect(await isOpen(session)).toBe(true);
  });

  test("8. a participant guesses the id of an ask before it is open", async () => {
    const session = await world.session();
    const tries = Array.from({ length: 40 }, (_, n) =>
      world.call(participant, "POST", `/v1/sessions/${session}/asks/a${n}/reply`, { reply: "once" }),
    );
    await world.say(session, "scenario:approve");
    for (const { status } of await Promise.all(tries)) expect([403, 404]).toContain(status);
    await until(() => isOpen(session));
    const answered = (await eventsOf(session)).filter(({ type }) => type === "ask.answered");
    expect(answered).toEqual([]);
  });

  test("9. a participant changes what somebody else said and what waits", async () => {
    const { session, message } = await world.queued(operator);
    const path = `/v1/sessions/${session}/queue/${message}`;
    expectForbidden(await world.call(participant, "PATCH", path, { text: "mine" }));
    expect((await world.server.engine.run("listQueue", { session }, TESTER))[0]!.parts).toEqual([
      { type: "text", text: "later" },
    ]);
  });

  test("10. a participant withdraws what somebody else said and what waits", async () => {
    const { session, message } = await world.queued(world.owner);
    expectForbidden(await world.call(participant, "DELETE", `/v1/sessions/${session}/queue/${message}`));
    expect(await world.server.engine.run("listQueue", { session }, TESTER)).toHaveLength(1);
  });

  test("11. a participant changes it by the edit of an AI SDK client, but may their own", async () => {
    const { session, message } = await world.queued(operator);
    const edit = (id: string) => ({
      id: session,
      trigger: "submit-message",
      messageId: id,
      messages: [{ id, role: "user", parts: [{ type: "text", text: "mine" }] }],
    });
    expectForbidden(await world.call(participant, "POST", "/api/chat", edit(message)));
    const own = await world.say(session, "later still", participant);
    expect((await world.call(participant, "POST", "/api/chat", edit(own))).status).toBe(200);
    const queue = await world.server.engine.run("listQueue", { session }, TESTER);
    expect(queue.map(({ parts }) => parts[0])).toEqual([
      { type: "text", text: "later" },
      { type: "text", text: "mine" },
    ]);
  });

  test("12. a participant rewrites history by editing or repeating a message", async () => {
    const { session, prompt } = await world.talked();
    const messages = [{ id: prompt, role: "user", parts: [{ type: "text", text: "other" }] }];
    const edit = { id: session, trigger: "submit-message", messageId: prompt, messages };
    const repeat = { id: session, trigger: "regenerate-message", messages };
    for (const body of [edit, repeat])
      expectForbidden(await world.call(participant, "POST", "/api/chat", body));
    expect((await eventsOf(session)).filter(({ type }) => type === "conversation.rewound")).toEqual([]);
  });

  test("13. an operator deletes a session as a dialog", async () => {
    const session = await world.session();
    const path = `/agentsmithy/api/dialogs/${await world.dialog(session)}`;
    expectForbidden(await world.call(operator, "DELETE", path));
    expect(await rowOf(session)).toBeDefined();
  });

  test("14. an operator turns questions off: in a session, a chat, a mode and a setting", async () => {
    const session = await world.session();
    const path = `/v1/sessions/${session}`;
    for (const change of [
      { permissionMode: "bypass" },
      { mode: "yolo" },
      { settings: { sandbox: "dangerFullAccess" } },
    ])
      expectForbidden(await world.call(operator, "PATCH", path, change));
    const body = chat(session, "hello", { permissionMode: "bypass" });
    expectForbidden(await world.call(operator, "POST", "/api/chat", body));
    expect((await rowOf(session))!.permissionMode).not.toBe("bypass");
  });

  test("15. an operator turns questions off by the settings of a prompt", async () => {
    const session = await world.session();
    const body = { text: "hello", settings: { approval: "never" } };
    const answer = await world.call(operator, "POST", `/v1/sessions/${session}/messages`, body);
    expectForbidden(answer);
    expect(answer.body.errors).toEqual([{ path: "settings.approval", message: "needs the role owner" }]);
  });

  test("16. an operator runs a program by making a session again with env", async () => {
    const id = world.newId();
    const path = `/v1/sessions/${id}`;
    expect((await world.call(operator, "POST", path, { agent: "mock" })).status).toBe(201);
    expectForbidden(await world.call(operator, "POST", path, { agent: "mock", env: { PATH: "/evil" } }));
    expect((await eventsOf(id)).filter((event) => "env" in event)).toEqual([]);
  });

  test("17. an operator reads raw records with the end of a turn", async () => {
    const { session, answer: message } = await world.talked();
    const path = `/v1/sessions/${session}/messages/${message}?include=result`;
    const answer = await world.call(operator, "GET", path);
    expect(answer.status).toBe(200);
    expect(answer.body.result.event.type).toBe("turn.ended");
    expect(answer.body.result).not.toHaveProperty("raw");
    expect((await world.call(world.owner, "GET", path)).body.result).toHaveProperty("raw");
  });

  test("18. an operator reads which variables and servers a session was given", async () => {
    const secret = { env: { SECRET_NAME: "x" }, mcpServers: { hidden: { command: "true" } } };
    const session = await world.session({ ...secret, options: { pace: 0, seed: 4711 } });
    await world.server.engine.run("updateSession", { session, env: { SECOND_NAME: "y" } }, TESTER);
    const paths = [`/v1/sessions/${session}`, `/v1/sessions/${session}/events`, "/v1/sessions"];
    for (const path of paths)
      expect((await world.call(operator, "GET", path)).text).not.toMatch(
        /SECRET_NAME|SECOND_NAME|hidden|4711/,
      );
    const events = await stream(operator, `/v1/sessions/${session}/events/sse`);
    const many = await stream(operator, `/v1/events/sse?after=${session}:0`);
    const last = await head(session);
    for (const client of [events, many]) {
      await client.until("all events", ({ frames }) => frames.length >= last);
      expect(client.frames.map(({ data }) => data.seq)).toEqual(
        Array.from({ length: last }, (_, n) => n + 1),
      );
      expect(client.text).not.toMatch(/SECRET_NAME|SECOND_NAME|hidden|4711/);
      client.close();
    }
    expect((await world.call(world.owner, "GET", paths[1]!)).text).toContain("SECRET_NAME");
  });

  test("19. a participant stops a turn by leaving an AgentSmithy response", async () => {
    const session = await world.session();
    const body = {
      messages: [{ role: "user", content: "scenario:hang" }],
      dialog_id: await world.dialog(session),
      stream: true,
    };
    const headers = { authorization: `Bearer ${participant.token}` };
    const response = { method: "POST", body, headers };
    const client = await StreamClient.open(world.server.url, "/agentsmithy/api/chat", response);
    await until(async () => (await eventsOf(session)).some(({ type }) => type === "message.started"));
    client.close();
    await until(async () => (await world.refusals(participant)).some((entry) => entry.session === session));
    expect((await eventsOf(session)).map(({ type }) => type)).not.toContain("turn.stopping");
  });

  test("20. an owner of some sessions makes themselves a token for all", async () => {
    const some = await world.person("owner", { sessions: [await world.session()] });
    for (const [method, path] of [
      ["POST", "/v1/tokens"],
      ["GET", "/v1/tokens"],
      ["GET", "/v1/audit"],
      ["GET", "/metrics"],
      ["GET", "/v1/workspaces"],
      ["POST", "/v1/agents/mock/install"],
    ] as const) {
      const body = path === "/v1/tokens" && method === "POST" ? { name: "x", role: "owner" } : undefined;
      expectForbidden(await world.call(some, method, path, body));
    }
  });
});

describe("what a token is not for", () => {
  let mine: string;
  let other: string;
  let answer: string;
  let scoped: Person;

  beforeAll(async () => {
    mine = await world.session({ title: "visible" });
    ({ session: other, answer } = await world.talked());
    scoped = await world.person("owner", { sessions: [mine] });
  });

  test("21. another session is read, changed, deleted, prompted, forked, closed", async () => {
    const before = await head(other);
    for (const [method, rest, body] of [
      ["GET", ""],
      ["PATCH", "", { title: "mine" }],
      ["DELETE", ""],
      ["POST", "/attach"],
      ["POST", "/messages", { text: "hello" }],
      ["POST", "/messages/stream", { text: "hello" }],
      ["GET", "/messages"],
      ["GET", `/messages/${answer}`],
      ["GET", `/messages/${answer}?include=raw`],
      ["GET", "/queue"],
      ["GET", "/events"],
      ["GET", "/events?include=raw"],
      ["GET", "/events/sse"],
      ["GET", "/raw"],
      ["GET", "/presence"],
      ["GET", "/checkpoints"],
      ["GET", "/changes"],
      ["GET", "/invitations"],
      ["POST", "/invitations"],
      ["POST", "/interrupt"],
      ["POST", "/rewind", { before: "x" }],
      ["POST", "/fork"],
      ["POST", "/asks/a1/reply", { reply: "once" }],
      ["POST", "/restore", { checkpoint: "x" }],
      ["POST", "/approve"],
      ["POST", "/reset"],
    ] as const)
      expectUnknown(await world.call(scoped, method, `/v1/sessions/${other}${rest}`, body), other);
    expect(await head(other)).toBe(before);
  });

  test("22. it is found by list, search, directory and agent", async () => {
    for (const query of [
      "",
      `?search=${other}`,
      "?search=scenario",
      "?agent=mock",
      `?cwd=${world.server.root}`,
    ]) {
      const { body, text } = await world.call(scoped, "GET", `/v1/sessions${query}`);
      expect(text).not.toContain(`"${other}"`);
      expect(body.sessions.map(({ id }: { id: string }) => id)).toEqual(
        query.includes("search") ? [] : [mine],
      );
    }
    const { body } = await world.call(scoped, "GET", "/v1/sessions?search=visible");
    expect(body.sessions).toHaveLength(1);
  });

  test("23. it is seen in asks and usage", async () => {
    const { session } = await world.ask("permission");
    expect((await world.call(scoped, "GET", "/v1/asks")).body.asks).toEqual([]);
    expectUnknown(await world.call(scoped, "GET", `/v1/asks?session=${session}`), session);
    expect((await world.call(world.owner, "GET", "/v1/usage?by=session")).text).toContain(other);
    for (const query of ["", "?by=session", `?session=${other}`, "?by=agent"]) {
      const { body } = await world.call(scoped, "GET", `/v1/usage${query}`);
      expect([body.rows, body.total.turns ?? 0]).toEqual([[], 0]);
    }
  });

  test("24. it is seen in the feed: its state, its asks, who watches it, its end", async () => {
    const feed = await stream(scoped, "/v1/feed/sse");
    await feed.until("the snapshot", ({ frames }) => frames.length > 0);
    const watched = await stream(world.owner, `/v1/sessions/${other}/events/sse`);
    const { session } = await world.ask("question");
    await world.call(world.owner, "DELETE", `/v1/sessions/${session}`);
    await world.call(world.owner, "PATCH", `/v1/sessions/${mine}`, { title: "seen" });
    await feed.until("the change of its own", ({ text }) => text.includes('"seen"'));
    const about = feed.frames.flatMap(({ data }) =>
      data.type === "snapshot"
        ? data.sessions.map((each: { session: string }) => each.session)
        : data.session,
    );
    expect(new Set(about)).toEqual(new Set([mine]));
    expect(feed.text).not.toContain(`"${other}"`);
    watched.close();
    feed.close();
  });

  test("25. it is streamed together with one the token is for", async () => {
    const path = `/v1/events/sse?after=${mine}:0,${other}:0`;
    expectUnknown(await world.call(scoped, "GET", path), other);
    const watching = await world.call(scoped, "GET", `/v1/feed/sse?watching=${other}`);
    expectUnknown(watching, other);
  });

  test("26. it is read as a chat, by its messages and by the name of a run", async () => {
    expect((await world.call(scoped, "GET", `/api/chat/${other}/stream`)).status).toBe(204);
    expect((await world.call(scoped, "GET", `/api/chat/${other}~${answer}/stream`)).status).toBe(204);
    for (const rest of ["", `/${answer}`, `/${answer}/stream`])
      expect((await world.call(scoped, "GET", `/api/chat/${other}/messages${rest}`)).status).toBe(404);
    const before = await head(other);
    expect((await world.call(scoped, "POST", `/api/chat/${other}/stop`)).status).toBe(404);
    expect((await world.call(scoped, "POST", "/api/chat", chat(other, "hello"))).status).toBe(404);
    expect(await head(other)).toBe(before);
  });

  test("27. it is found as a dialog, and made the current one for all", async () => {
    const dialog = await world.dialog(other);
    const { body } = await world.call(scoped, "GET", "/agentsmithy/api/dialogs");
    expect(body.dialogs.map(({ id }: { id: string }) => id)).toEqual([await world.dialog(mine)]);
    for (const rest of ["", "/history", "/checkpoints", "/session", "/tool-results"])
      expect((await world.call(scoped, "GET", `/agentsmithy/api/dialogs/${dialog}${rest}`)).status).toBe(404);
    expect((await world.call(scoped, "DELETE", `/agentsmithy/api/dialogs/${dialog}`)).status).toBe(404);
    const current = "/agentsmithy/api/dialogs/current";
    expect((await world.call(scoped, "PATCH", `${current}?id=${dialog}`)).status).toBe(404);
    expectForbidden(await world.call(scoped, "PATCH", `${current}?id=${await world.dialog(mine)}`));
    expect(await rowOf(other)).toBeDefined();
  });

  test("28. another session is made: without an id, with a free one, or by a fork", async () => {
    const id = world.newId();
    const body = { agent: "mock" };
    expect((await world.call(scoped, "POST", "/v1/sessions", body)).status).toBe(404);
    expect((await world.call(scoped, "POST", `/v1/sessions/${id}`, body)).status).toBe(404);
    expectForbidden(await world.call(scoped, "POST", `/v1/sessions/${mine}/fork`));
    expect(await rowOf(id)).toBeUndefined();
    expect((await rowOf(mine))!.head).toBe(await head(mine));
  });

  test("29. an agent it is not for is seen, asked for a session, or read", async () => {
    const elsewhere = await world.person("operator", { agents: ["model"] });
    const { body } = await world.call(elsewhere, "GET", "/v1/agents");
    expect(body.agents.map(({ name }: { name: string }) => name)).toEqual(["model"]);
    expect((await world.call(elsewhere, "GET", "/v1/agents/mock")).status).toBe(404);
    expect((await world.call(elsewhere, "POST", "/v1/sessions", { agent: "mock" })).status).toBe(404);
    expect((await world.call(elsewhere, "GET", "/v1/sessions")).body.sessions).toEqual([]);
    expectUnknown(await world.call(elsewhere, "GET", `/v1/sessions/${mine}`), mine);
    expectUnknown(await world.call(elsewhere, "GET", `/v1/sessions/${mine}/events`), mine);
    expectUnknown(await world.call(elsewhere, "GET", `/v1/events/sse?after=${mine}:0`), mine);
  });

  test("30. a file of another directory is attached to a prompt", async () => {
    const guest = await world.person("participant", { sessions: [mine] });
    for (const url of ["file:///etc/passwd", `file://${world.server.root}/../secret`]) {
      const body = { parts: [{ type: "file", mediaType: "text/plain", url }] };
      const { status } = await world.call(guest, "POST", `/v1/sessions/${mine}/messages`, body);
      expect(status).toBe(403);
    }
    expect((await eventsOf(mine)).filter(({ type }) => type === "prompt.accepted")).toEqual([]);
  });

  test("31. a stream goes on after its token was revoked", async () => {
    const guest = await world.person("observer", { sessions: [mine] });
    const streams = [
      await stream(guest, `/v1/sessions/${mine}/events/sse`),
      await stream(guest, "/v1/feed/sse"),
      await stream(guest, `/v1/events/sse?after=${mine}:0`),
    ];
    const stays = await stream(scoped, `/v1/sessions/${mine}/events/sse`);
    expect((await world.call(world.owner, "DELETE", `/v1/tokens/${guest.id}`)).status).toBe(204);
    await Promise.all(streams.map(({ ended }) => ended));
    for (const { comments } of streams) expect(comments).toContain("the token is no longer valid");
    expect((await world.call(guest, "GET", "/v1/me")).status).toBe(401);
    await world.call(world.owner, "PATCH", `/v1/sessions/${mine}`, { title: "after" });
    await stays.until("the change", ({ text }) => text.includes('"after"'));
    stays.close();
  });

  test("32. a stream goes on after its token has expired", async () => {
    const guest = await world.person("observer", { sessions: [mine], expiresAt: Date.now() + 1500 });
    const { ended } = await stream(guest, `/v1/sessions/${mine}/events/sse`);
    await ended;
    expect((await world.call(guest, "GET", "/v1/me")).status).toBe(401);
  });

  test("33. somebody acts in the name of another", async () => {
    const session = await world.session();
    const path = `/v1/sessions/${session}/messages`;
    await world.call(participant, "POST", path, { text: "scenario:text", id: "named" });
    const accepted = (await eventsOf(session)).find(({ type }) => type === "prompt.accepted");
    expect(accepted).toMatchObject({ by: participant.name, author: participant.id });
    const { body } = await world.call(world.owner, "GET", `/v1/audit?session=${session}`);
    expect(body.entries).toContainEqual(
      expect.objectContaining({
        by: participant.name,
        token: participant.id,
        action: "session.prompt",
        outcome: "done",
      }),
    );
  });

  test("33. a session that was found is read after another agent's took its id", async () => {
    const ofMock = await world.person("observer", { agents: ["mock"] });
    const id = await world.session();
    expect((await world.call(ofMock, "GET", `/v1/sessions/${id}`)).status).toBe(200);
    await world.server.engine.run("deleteSession", { session: id }, TESTER);
    await world.server.engine.run("createSession", { id, agent: "model", cwd: world.server.root }, TESTER);
    expectUnknown(await world.call(ofMock, "GET", `/v1/sessions/${id}/events`), id);
  });

  test("34. a chat with the id of another agent's session keeps the daemon busy for ever", async () => {
    const ofModel = await world.person("operator", { agents: ["model"] });
    const answer = await world.call(ofModel, "POST", "/api/chat", {
      ...chat(mine, "hello"),
      agent: "model",
    });
    expect(answer.status, answer.text).toBe(409);
    expect(answer.text).toContain("exists");
  });

  test.each([
    ["a prompt", (id: string) => [`/v1/sessions/${id}/messages`, { text: "hello" }]],
    ["a prompt with its stream", (id: string) => [`/v1/sessions/${id}/messages/stream`, { text: "hello" }]],
    ["a chat", (id: string) => ["/api/chat", chat(id, "hello")]],
  ])("35. %s is sent slowly, and ends after its token was revoked", async (_, requestTo) => {
    const guest = await world.person("participant", { sessions: [mine] });
    const before = await head(mine);
    const [path, body] = requestTo(mine) as [string, object];
    const text = JSON.stringify(body);
    // The answer to `expect` comes when the request has begun.
    const headers = {
      authorization: `Bearer ${guest.token}`,
      "content-length": Buffer.byteLength(text),
      expect: "100-continue",
    };
    const outgoing = request(`${world.server.url}${path}`, { method: "POST", headers, agent: false });
    const answered = once(outgoing, "response");
    outgoing.flushHeaders();
    await once(outgoing, "continue");
    expect((await world.call(world.owner, "DELETE", `/v1/tokens/${guest.id}`)).status).toBe(204);
    outgoing.end(text);
    const [response] = (await answered) as [IncomingMessage];
    response.destroy();
    expect(response.statusCode).toBe(401);
    expect(await head(mine)).toBe(before);
  });
});

describe("what somebody else chose", () => {
  const BYPASS = { permissionMode: "bypass" };

  test("36. an operator forks a session that does not ask, also elsewhere and into a worktree", async () => {
    const ofMock = await world.person("operator", { agents: ["mock"] });
    for (const person of [operator, ofMock]) {
      const session = await world.session(BYPASS);
      for (const body of [{}, { cwd: world.server.root }, { worktree: true }])
        expectForbidden(await world.call(person, "POST", `/v1/sessions/${session}/fork`, body));
      expect((await world.server.engine.run("getSession", { session }, TESTER)).forks).toBeUndefined();
      expect((await world.call(world.owner, "POST", `/v1/sessions/${session}/fork`, {})).status).toBe(201);
    }
    const refused = await world.refusals(operator);
    expect(refused.map(({ action }) => action)).toContain("session.bypass");
  });

  test("37. an operator forks a session that the owner has let do everything meanwhile", async () => {
    const session = await world.session();
    const path = `/v1/sessions/${session}`;
    expect((await world.call(operator, "POST", `${path}/fork`, {})).status).toBe(201);
    expect((await world.call(world.owner, "PATCH", path, BYPASS)).status).toBe(200);
    expectForbidden(await world.call(operator, "POST", `${path}/fork`, {}));
    expect((await world.call(world.owner, "PATCH", path, { permissionMode: "default" })).status).toBe(200);
    expect((await world.call(operator, "POST", `${path}/fork`, {})).status).toBe(201);
  });

  test.each<[string, object]>([
    ["env", { env: { WORD: "a secret word" } }],
    ["mcpServers", { mcpServers: { files: { type: "stdio", command: "./server" } } }],
    ["options", { options: { pace: 0 } }],
  ])("38. an operator takes %s of the owner along to a directory of their own choice", async (_, chosen) => {
    const elsewhere = join(world.server.root, world.newId());
    mkdirSync(elsewhere);
    const session = await world.session({ options: undefined, ...chosen });
    const fork = (body: object) => world.call(operator, "POST", `/v1/sessions/${session}/fork`, body);
    const refused = await fork({ cwd: elsewhere });
    expectForbidden(refused);
    expect(refused.body.errors).toEqual([{ path: "cwd", message: "needs the role owner" }]);
    expect((await fork({})).status).toBe(201);
    expect((await fork({ cwd: world.server.root })).status).toBe(201);
  });

  test("39. an operator forks into a directory outside the roots", async () => {
    const answer = await world.call(operator, "POST", `/v1/sessions/${await world.session()}/fork`, {
      cwd: tmpdir(),
    });
    expect([answer.status, answer.body.code]).toEqual([403, "outside_roots"]);
  });

  test("40. an owner of one session or agent has an agent installed by making a session", async () => {
    const id = world.newId();
    const scopes = [{ sessions: [id] }, { agents: ["mock"] }];
    for (const scope of scopes) {
      const person = await world.person("owner", scope);
      const body = { id, agent: "mock", cwd: world.server.root, install: "auto" };
      const refused = await world.call(person, "POST", "/v1/sessions", body);
      expectForbidden(refused);
      expect(refused.body.errors).toEqual([
        { path: "install", message: "needs a token for all sessions and agents" },
      ]);
      expect(await rowOf(id)).toBeUndefined();
      expect((await world.refusals(person)).map(({ action }) => action)).toEqual(["agent.install"]);
    }
    const person = await world.person("owner", scopes[0]);
    const body = { id, agent: "mock", cwd: world.server.root, install: "never" };
    expect((await world.call(person, "POST", "/v1/sessions", body)).status).toBe(201);
  });
});
