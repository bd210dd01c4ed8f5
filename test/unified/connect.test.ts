/** Connecting to a session: the order of what comes, history, coming back, and who else is there. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { refusal } from "../../src/server/channels/socket-client-test-support.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonClient } from "../daemon-client.ts";
import { UnifiedClient } from "./unified-client.ts";

let daemon: Daemon;
let api: DaemonClient;
const clients: UnifiedClient[] = [];

beforeAll(async () => {
  daemon = await startDaemon({ data: ":memory:", port: 0 });
  api = new DaemonClient(daemon);
});

afterAll(async () => {
  for (const client of clients) client.close();
  await daemon.close();
});

async function open(session: string, query?: string, options?: object): Promise<UnifiedClient> {
  const client = await UnifiedClient.open(daemon, session, query, options);
  clients.push(client);
  return client;
}

async function create(id: string): Promise<void> {
  await api.call("POST", "/v1/sessions", { id, agent: "mock", options: { pace: 0 } });
}

/** `status_change identity`, `session_init` and so on, of frames without a place. */
function greeting(client: UnifiedClient): string[] {
  return client.frames
    .filter(({ seq }) => seq === undefined)
    .map(({ payload: { type, metadata } }) => (metadata.kind ? `${type} ${metadata.kind}` : type));
}

describe("on connect", () => {
  it("come identity, session_init, history, capabilities, queue and presence, in this order", async () => {
    await create("order");
    await api.prompt("order", "scenario:text");
    await until(async () => (await api.events("order")).some((line) => line.includes('"turn.ended"')));
    const client = await open("order");
    await client.first("status_change", "presence");
    const { frames } = client;
    const kinds = frames.map(({ seq, payload: { type, metadata } }) =>
      seq === undefined && !["assistant", "result"].includes(type) ? `${type} ${metadata.kind ?? ""}` : "log",
    );
    const places = kinds.filter((kind, index) => kind !== "log" || kinds[index - 1] !== "log");
    expect(places).toEqual([
      "status_change identity",
      "session_init ",
      "status_change history",
      "log",
      "status_change capabilities",
      "status_change queue",
      "status_change presence",
    ]);
    const { head } = await api.call<{ head: number }>("GET", "/v1/sessions/order");
    const seqs = frames.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
    expect(seqs).toEqual(Array.from({ length: head }, (_, index) => index + 1));
    expect(frames[0]!.payload.metadata).toMatchObject({ session_id: "order", name: "owner", role: "owner" });
    expect(frames[0]!.payload.metadata.rights).toContain("session.delete");
    expect(frames[1]!.payload.metadata).toMatchObject({ agent: "mock", status: "idle", head });
    expect(frames[2]!.payload.metadata).toMatchObject({ after: 0, head });
    const [capabilities] = client.of("status_change", "capabilities");
    expect(capabilities!.metadata.slash_commands).toEqual(expect.arrayContaining(["help", "compact"]));
    expect(checkLog((await api.events("order")).map((line) => JSON.parse(line)))).toEqual([]);
  });

  it("an open ask comes again under its own message_id, to whoever has passed its place", async () => {
    await create("asked");
    await api.prompt("asked", "scenario:approve");
    const first = await open("asked");
    await first.first("permission_request");
    await first.first("status_change", "presence");
    const asked = first.frames.find(({ payload, seq }) => payload.type === "permission_request" && seq)!;
    const second = await open("asked", `?after=${first.lastSeq}`);
    await second.first("status_change", "presence");
    const again = second.frames.filter(({ payload }) => payload.type === "permission_request");
    expect(again).toEqual([
      { message_id: asked.message_id, timestamp: asked.timestamp, payload: asked.payload },
    ]);
    expect(second.frames.every(({ seq }) => seq === undefined)).toBe(true);
    expect(greeting(second)).toEqual([
      "status_change identity",
      "session_init",
      "status_change history",
      "status_change capabilities",
      "permission_request permission",
      "status_change queue",
      "status_change presence",
    ]);
  });

  it("waiting prompts are listed", async () => {
    await create("waiting");
    await api.prompt("waiting", "scenario:hang", "one");
    await until(async () => (await api.events("waiting")).some((line) => line.includes("message.started")));
    await api.prompt("waiting", "later", "two");
    const client = await open("waiting");
    const { metadata } = await client.first("status_change", "queue");
    expect(metadata.messages).toMatchObject([
      { message_id: "two", content: [{ type: "text", text: "later" }], when_busy: "queue" },
    ]);
  });

  it("a closed session is told whole, and then 1000", async () => {
    await create("closed");
    await api.call("PATCH", "/v1/sessions/closed", { status: "closed" });
    const client = await open("closed");
    expect(await client.client.ended()).toEqual({ code: 1000, reason: "the session is closed" });
    expect(client.of("status_change", "session_closed")).toHaveLength(1);
    const again = await open("closed", `?after=${client.lastSeq}`);
    expect((await again.client.ended()).code).toBe(1000);
    expect(greeting(again)).toEqual(["status_change identity", "session_init", "status_change history"]);
  });
});

describe("refused before the socket is open:", () => {
  it.each<[string, string, number, string, string | undefined]>([
    ["an unknown session", "/v1/sessions/none/unified", 404, "session_not_found", undefined],
    [
      "a cursor beyond the end",
      "/v1/sessions/order/unified?after=99999",
      400,
      "cursor_beyond_end",
      undefined,
    ],
    ["a cursor that is none", "/v1/sessions/order/unified?after=x", 400, "invalid_request", "after"],
    ["two cursors", "/v1/sessions/order/unified?after=1&after=2", 400, "invalid_request", "after"],
    ["another name", "/v1/sessions/order/unified?from=1", 400, "invalid_request", "from"],
    ["a token in the address", "/v1/sessions/order/unified?token=x", 400, "invalid_request", "token"],
    ["something below", "/v1/sessions/order/unified/more", 404, "not_found", undefined],
  ])("%s", async (_, path, status, code, field) => {
    const headers = { authorization: `Bearer ${daemon.token}` };
    const { status: got, body } = await refusal(daemon.url, path, { headers });
    expect(body).toMatchObject({ status, code });
    expect(got).toBe(status);
    if (field) expect(body.errors[0].path).toBe(field);
  });

  it("a request that is no WebSocket", async () => {
    const response = await api.request("GET", "/v1/sessions/order/unified");
    expect(response.status).toBe(426);
    expect(await response.json()).toMatchObject({ code: "upgrade_required" });
  });
});

/** As the guide for backend adapters lists them. */
const GUIDE_TYPES = [
  ...["session_init", "status_change", "assistant", "result", "stream_event", "permission_request"],
  ...["control_response", "tool_progress", "tool_use_summary", "auth_status", "user_message"],
  ...["permission_response", "interrupt", "configuration_change", "unknown"],
];

it("a client of the guide gets no session_lifecycle, unless it asks for it", async () => {
  await create("rewound");
  await api.prompt("rewound", "scenario:text");
  await until(async () => (await api.events("rewound")).some((line) => line.includes('"turn.ended"')));
  const [asking, plain] = [await open("rewound", "?include=session_lifecycle"), await open("rewound")];
  await until(async () => (await plain.first("status_change", "presence")) !== undefined);
  await asking.first("status_change", "presence");
  // Both follow from here, and readers of the same event share what they can.
  const [prompt] = plain.of("user_message");
  const { message_id } = prompt!.metadata;
  await api.call("POST", "/v1/sessions/rewound/rewind", { before: message_id });
  await plain.first("status_change", "message_removed");
  await until(() => asking.of("session_lifecycle").length === 2);
  expect(asking.of("session_lifecycle").map(({ metadata }) => metadata)).toMatchObject([
    { subtype: "session_created", agent: "mock" },
    { subtype: "message_removed", message_id, and_following: true },
  ]);
  expect(plain.payloads.filter(({ type }) => !GUIDE_TYPES.includes(type))).toEqual([]);
  expect(plain.of("status_change", "session_created")[0]?.metadata).toMatchObject({ agent: "mock" });
  expect(plain.of("status_change", "message_removed")[0]?.metadata).toMatchObject({ message_id });
  const seqs = ({ frames }: UnifiedClient) => frames.flatMap(({ seq }) => seq ?? []);
  expect(seqs(plain)).toEqual(seqs(asking));
});

it("whoever watches is told who comes and goes, whatever they speak", async () => {
  await create("watched");
  const client = await open("watched");
  const first = await client.first("status_change", "presence");
  expect(first.metadata).toMatchObject({
    total: 1,
    viewers: [{ name: "owner", dialect: "unified", count: 1 }],
  });
  const other = await open("watched", "", {
    headers: { authorization: `Bearer ${daemon.token}`, "x-interlingua-client": "phone" },
  });
  const last = () => client.of("status_change", "presence").at(-1)!.metadata;
  await until(() => last().total === 2);
  expect(last().viewers).toMatchObject([{ name: "owner" }, { name: "owner (phone)" }]);
  const reading = new AbortController();
  await api.request("GET", "/v1/sessions/watched/events/sse", undefined, reading.signal);
  await until(() => last().total === 3);
  reading.abort();
  other.close();
  await until(() => last().total === 1);
  const answer = await client.request({
    type: "configuration_change",
    role: "user",
    metadata: { kind: "presence_query" },
  });
  expect(answer).toMatchObject({ subtype: "success", response: { total: 1 } });
});

it("a page without headers connects by subprotocols", async () => {
  await create("page");
  const socket = new WebSocket(`${daemon.url.replace("http", "ws")}/v1/sessions/page/unified`, [
    "interlingua",
    `bearer.${daemon.token}`,
  ]);
  const frames: { payload: { type: string } }[] = [];
  socket.onmessage = ({ data }) => frames.push(JSON.parse(String(data)));
  await until(() => frames.some(({ payload }) => payload.type === "session_init"));
  expect(socket.protocol).toBe("interlingua");
  const closed = new Promise<CloseEvent>((resolve) => {
    socket.onclose = resolve;
  });
  await api.request("DELETE", "/v1/sessions/page");
  expect(await closed).toMatchObject({ code: 4404, reason: "the session was deleted" });
});

it("sockets are in the metrics", async () => {
  await create("counted");
  const client = await open("counted");
  await client.first("status_change", "presence");
  const text = await (await api.request("GET", "/metrics")).text();
  expect(text).toMatch(/^interlingua_sockets_open [1-9]/m);
  expect(text).toMatch(
    /^interlingua_http_requests_total\{method="GET",route="\/v1\/sessions\/\{id\}\/unified",status="101"\} [1-9]/m,
  );
});
