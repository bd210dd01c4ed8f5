/** What clients send: each message gets one answer, and what is sent twice is done once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { until } from "../../src/testkit/until.ts";
import { createUnifiedMessage } from "../../src/unified/create-unified-message.ts";
import { DaemonClient } from "../daemon-client.ts";
import { UnifiedClient } from "./unified-client.ts";

let daemon: Daemon;
let api: DaemonClient;
let sessions = 0;
const clients: UnifiedClient[] = [];

beforeAll(async () => {
  daemon = await startDaemon({ data: ":memory:", port: 0, limits: { messageBurst: 1000 } });
  api = new DaemonClient(daemon);
});

afterAll(async () => {
  for (const client of clients) client.close();
  await daemon.close();
});

/** A client of a new session. */
async function open(): Promise<{ client: UnifiedClient; session: string }> {
  sessions += 1;
  const session = `r${sessions}`;
  await api.call("POST", "/v1/sessions", { id: session, agent: "mock", options: { pace: 0 } });
  return { client: await join(session), session };
}

async function join(session: string): Promise<UnifiedClient> {
  const client = await UnifiedClient.open(daemon, session);
  clients.push(client);
  await client.first("status_change", "presence");
  return client;
}

const user = (type: "interrupt" | "configuration_change" | "permission_response", metadata = {}) =>
  createUnifiedMessage({ type, role: "user", metadata });

describe("user_message", () => {
  it("is a prompt: its answer comes, and the turn", async () => {
    const { client } = await open();
    const sent = createUnifiedMessage({
      type: "user_message",
      role: "user",
      content: [{ type: "text", text: "scenario:text" }],
    });
    const answer = await client.request(sent);
    expect(answer).toMatchObject({
      subtype: "success",
      inResponseTo: sent.id,
      request_id: sent.id,
      response: { message_id: sent.id, state: expect.stringMatching(/started|queued/) },
    });
    await client.turns(1);
    const [said] = client.of("user_message");
    expect(said).toMatchObject({ metadata: { message_id: sent.id }, content: sent.content });
    const [assistant] = client.of("assistant");
    expect(assistant!.content).toEqual([
      { type: "text", text: "Hello from the mock agent. This is a short, plain answer." },
    ]);
    expect(client.of("result")[0]!.metadata).toMatchObject({ subtype: "success", inResponseTo: sent.id });
    // Once more, as after a lost connection: the first answer again, and no second turn.
    expect(await client.request(sent)).toMatchObject({ response: { message_id: sent.id } });
    const other = { ...sent, content: [{ type: "text" as const, text: "else" }] };
    expect(await client.request(other)).toMatchObject({
      subtype: "error",
      error: { code: "message_exists", status: 409 },
    });
    expect(client.of("user_message")).toHaveLength(1);
  });

  it("has images and files", async () => {
    const { client } = await open();
    const png = "iVBORw0KGgo=";
    await client.request({
      type: "user_message",
      role: "user",
      content: [
        { type: "text", text: "scenario:text" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
      ],
      metadata: {
        attachments: [{ type: "file", url: "data:text/plain;base64,aGk=", mediaType: "text/plain" }],
      },
    });
    const said = await client.first("user_message");
    expect(said.content[1]).toMatchObject({ type: "image", source: { data: png } });
    expect(said.metadata.attachments).toMatchObject([{ block: 1 }, { mediaType: "text/plain" }]);
    const outside = await client.request({
      type: "user_message",
      role: "user",
      content: [{ type: "text", text: "look" }],
      metadata: { attachments: [{ type: "file", url: "file:///etc/passwd", mediaType: "text/plain" }] },
    });
    expect(outside).toMatchObject({ subtype: "error", error: { code: "outside_roots" } });
  });

  it("waits, is changed and withdrawn while a turn runs, or is refused", async () => {
    const { client } = await open();
    await client.prompt("scenario:hang");
    await client.first("stream_event");
    const refused = await client.prompt("now", { when_busy: "reject" });
    expect(refused).toMatchObject({ subtype: "error", error: { code: "session_busy" } });
    const { response } = (await client.prompt("later")) as {
      response: { message_id: string; state: string };
    };
    expect(response.state).toBe("queued");
    const { message_id } = response;
    const change = {
      ...user("configuration_change", { kind: "update_queued_message", message_id }),
      content: [{ type: "text" as const, text: "scenario:echo changed" }],
    };
    expect(await client.request(change)).toMatchObject({ subtype: "success", response: { message_id } });
    expect(await client.first("status_change", "queued_message_updated")).toMatchObject({
      content: change.content,
      metadata: { message_id },
    });
    const listed = await client.request(user("configuration_change", { kind: "queue_query" }));
    expect(listed).toMatchObject({ response: { messages: [{ message_id }] } });
    const cancel = user("configuration_change", { kind: "cancel_queued_message", message_id });
    expect(await client.request(cancel)).toMatchObject({ subtype: "success" });
    await client.first("status_change", "queued_message_cancelled");
    // The same request again is done already; another one finds nothing.
    expect(await client.request(cancel)).toMatchObject({ subtype: "success" });
    const late = user("configuration_change", { kind: "cancel_queued_message", message_id });
    expect(await client.request(late)).toMatchObject({ error: { code: "message_not_queued" } });
  });

  it("that is a slash command goes to the agent", async () => {
    const { client } = await open();
    await client.prompt("/help");
    await client.turns(1);
    expect(JSON.stringify(client.of("assistant"))).toContain("scenario:");
  });
});

describe("permission_response", () => {
  it("allows with a changed input, and a second answer is told who was first", async () => {
    const { client, session } = await open();
    await client.prompt("scenario:approve");
    const { metadata } = await client.first("permission_request");
    const { request_id } = metadata;
    const answer = user("permission_response", {
      request_id,
      behavior: "allow",
      updatedInput: { path: "other.txt" },
    });
    const second = await join(session);
    expect(await client.request(answer)).toMatchObject({
      subtype: "success",
      request_id,
      response: { request_id },
    });
    expect(await client.request(answer), "once more").toMatchObject({ subtype: "success" });
    const lost = await second.request(user("permission_response", { request_id, behavior: "deny" }));
    expect(lost).toMatchObject({ subtype: "error", request_id });
    expect(["ask_answered", "ask_closed"]).toContain((lost.error as { code: string }).code);
    expect(await second.first("status_change", "permission_answered")).toMatchObject({
      metadata: { request_id, behavior: "allow", by: "owner", updatedInput: { path: "other.txt" } },
    });
    await client.turns(1);
  });

  it("denies, with what the person says", async () => {
    const { client } = await open();
    await client.prompt("scenario:approve");
    const { metadata } = await client.first("permission_request");
    const { request_id } = metadata;
    await client.request(user("permission_response", { request_id, behavior: "deny", message: "not now" }));
    await client.turns(1);
    expect(client.of("status_change", "permission_answered")[0]!.metadata).toMatchObject({
      behavior: "deny",
      message: "not now",
    });
  });

  it.each([
    ["answers by question", { answers: { q1: ["Green"] } }],
    ["a text where there is one question", { behavior: "allow", message: "Green" }],
  ])("answers a question: %s", async (_, given) => {
    const { client } = await open();
    await client.prompt("scenario:question");
    const { metadata } = await client.first("permission_request");
    const { request_id } = metadata;
    const answer = await client.request(user("permission_response", { request_id, ...given }));
    expect(answer).toMatchObject({ subtype: "success" });
    await client.turns(1);
    expect(client.of("status_change", "permission_answered")[0]!.metadata.answers).toEqual({ q1: ["Green"] });
  });

  it("to nothing is refused", async () => {
    const { client } = await open();
    const answer = await client.request(user("permission_response", { request_id: "a9", behavior: "allow" }));
    expect(answer).toMatchObject({ subtype: "error", error: { code: "ask_not_found", status: 404 } });
  });
});

describe("interrupt and configuration_change", () => {
  it("an interrupt stops the turn, and the same one again does not stop the next", async () => {
    const { client } = await open();
    await client.prompt("scenario:hang");
    await client.first("stream_event");
    const stop = user("interrupt");
    expect(await client.request(stop)).toMatchObject({ subtype: "success", response: { interrupted: true } });
    await client.turns(1);
    expect(client.of("result")[0]!.metadata).toMatchObject({ outcome: "interrupted" });
    await client.prompt("scenario:hang");
    await until(() => client.of("stream_event").length > 3);
    expect(await client.request(stop)).toMatchObject({ response: { interrupted: true } });
    expect(client.of("result")).toHaveLength(1);
    const past = user("interrupt", { turn_id: "t1" });
    expect(await client.request(past)).toMatchObject({ response: { interrupted: false } });
    expect(await client.request(user("interrupt"))).toMatchObject({ response: { interrupted: true } });
    await client.turns(2);
  });

  it("a change reaches the agent, and what it does not offer is refused", async () => {
    const { client } = await open();
    await client.prompt("scenario:text");
    await client.turns(1);
    const offered = await client.first("session_init");
    expect(offered.metadata.agent).toBe("mock");
    const changed = await client.request(user("configuration_change", { permissionMode: "plan" }));
    expect(changed).toMatchObject({ subtype: "success", response: { permissionMode: "plan" } });
    await until(() =>
      client.of("status_change", "session_update").some(({ metadata }) => metadata.permissionMode === "plan"),
    );
    const refused = await client.request(user("configuration_change", { settings: { none: "x" } }));
    expect(refused).toMatchObject({ subtype: "error", error: { code: expect.any(String) } });
  });

  it("another request under the id of one that was done is refused", async () => {
    const { client } = await open();
    const stop = user("interrupt");
    await client.request(stop);
    const other = { ...stop, type: "configuration_change" as const, metadata: { kind: "presence_query" } };
    expect(await client.request(other)).toMatchObject({ error: { code: "message_exists" } });
  });
});

describe("unknown", () => {
  const unknown = (metadata = {}) =>
    createUnifiedMessage({ type: "unknown", role: "user", metadata: { secret_sauce: true, ...metadata } });

  it("is kept in the log, answered, and not done twice", async () => {
    const { client, session } = await open();
    const sent = unknown();
    const answer = await client.request(sent);
    expect(answer).toMatchObject({ subtype: "success", response: { kept: true, passed_on: false } });
    expect(await client.request(sent)).toMatchObject({ response: answer.response });
    const kept = (await api.events(session))
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === "notice");
    expect(kept).toMatchObject([
      { level: "info", code: "unknown-message", data: { by: "owner", message: sent } },
    ]);
    expect(answer.response).toMatchObject({ seq: kept[0].seq });
    expect((await client.first("status_change", "notice")).metadata.data).toMatchObject({ message: sent });
  });

  it("that is too large to be kept is refused", async () => {
    const { client } = await open();
    expect(await client.request(unknown({ text: "x".repeat(70_000) }))).toMatchObject({
      error: { code: "body_too_large", status: 413 },
    });
  });
});

describe("what cannot be read is answered, and the socket stays open:", () => {
  const whole = { id: "x1", timestamp: 1, type: "interrupt", role: "user", content: [], metadata: {} };
  it.each<[string, unknown, string, string | undefined]>([
    ["no JSON", "{", "", undefined],
    ["a number", 7, "", undefined],
    ["a list", [], "", undefined],
    ["an empty object", {}, "id", undefined],
    ["an unknown type", { ...whole, type: "hello" }, "type", "x1"],
    ["a wrong role", { ...whole, role: "assistant" }, "role", "x1"],
    ["no content", { ...whole, content: "text" }, "content", "x1"],
    ["a broken block", { ...whole, content: [{ type: "text" }] }, "content.0.text", "x1"],
    ["an envelope with nothing in it", { seq: 1, payload: null }, "payload", undefined],
    ["an envelope with a broken message", { payload: { ...whole, metadata: 1 } }, "payload.metadata", "x1"],
    ["an empty prompt", { ...whole, type: "user_message" }, "content", "x1"],
    [
      "a prompt without sense",
      { ...whole, type: "user_message", content: [{ type: "refusal", refusal: "" }] },
      "content.0",
      "x1",
    ],
    [
      "no behavior",
      { ...whole, type: "permission_response", metadata: { request_id: "a1" } },
      "metadata.behavior",
      "x1",
    ],
    ["nothing to change", { ...whole, type: "configuration_change" }, "metadata", "x1"],
    [
      "an unknown kind",
      { ...whole, type: "configuration_change", metadata: { kind: "__proto__" } },
      "metadata.kind",
      "x1",
    ],
    [
      "no prompt to change",
      { ...whole, type: "configuration_change", metadata: { kind: "cancel_queued_message" } },
      "metadata.message_id",
      "x1",
    ],
    ["what only the backend says", { ...whole, type: "assistant", role: "assistant" }, "type", "x1"],
    ["a turn that is none", { ...whole, metadata: { turn_id: 7 } }, "metadata.turn_id", "x1"],
  ])("%s", async (_, message, path, id) => {
    const { client } = await open();
    client.client.send(message);
    const { metadata } = await client.first("control_response");
    expect(metadata).toMatchObject({
      subtype: "error",
      error: { code: "invalid_request", status: 400, errors: [{ path }] },
    });
    expect(metadata.inResponseTo).toBe(id);
    expect((metadata.error as { detail: string }).detail).not.toBe("");
    expect(await client.request(user("configuration_change", { kind: "presence_query" }))).toMatchObject({
      subtype: "success",
    });
  });

  it("nesting without end", async () => {
    const { client } = await open();
    client.client.send("[".repeat(5000));
    const { metadata } = await client.first("control_response");
    expect(metadata).toMatchObject({ error: { code: "invalid_request" } });
  });

  it("an envelope is taken, too", async () => {
    const { client } = await open();
    const message = user("configuration_change", { kind: "presence_query", request_id: "mine" });
    client.client.send({ message_id: message.id, timestamp: 1, payload: message });
    const { metadata } = await client.first("control_response");
    expect(metadata).toMatchObject({ subtype: "success", inResponseTo: message.id, request_id: "mine" });
  });
});
