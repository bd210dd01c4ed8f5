/** Several people at one session's socket: what each may do, what each is shown, and whose token has ended. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Role } from "../../src/core/rights.ts";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { refusal } from "../../src/server/channels/socket-client-test-support.ts";
import type { NewUnifiedMessage } from "../../src/unified/create-unified-message.ts";
import { DaemonClient } from "../daemon-client.ts";
import { UnifiedClient } from "./unified-client.ts";

let daemon: Daemon;
let api: DaemonClient;
const clients: UnifiedClient[] = [];

beforeAll(async () => {
  daemon = await startDaemon({ data: ":memory:", port: 0, limits: { messageBurst: 1000 } });
  api = new DaemonClient(daemon);
  for (const id of ["a", "b"])
    await api.call("POST", "/v1/sessions", { id, agent: "mock", options: { pace: 0 } });
});

afterAll(async () => {
  for (const client of clients) client.close();
  await daemon.close();
});

interface Person {
  id: string;
  token: string;
}

function personOf(name: string, role: Role, scope = {}): Promise<Person> {
  return api.call("POST", "/v1/tokens", { name, role, ...scope });
}

async function open({ token }: Pick<Person, "token">, session = "a"): Promise<UnifiedClient> {
  const client = await UnifiedClient.open({ url: daemon.url, token }, session);
  clients.push(client);
  await client.first("status_change", "presence");
  return client;
}

const REQUESTS: Record<string, NewUnifiedMessage> = {
  prompt: { type: "user_message", role: "user", content: [{ type: "text", text: "scenario:text" }] },
  interrupt: { type: "interrupt", role: "user" },
  configure: { type: "configuration_change", role: "user", metadata: { permissionMode: "plan" } },
  bypass: { type: "configuration_change", role: "user", metadata: { permissionMode: "bypass" } },
  unknown: { type: "unknown", role: "user" },
  presence: { type: "configuration_change", role: "user", metadata: { kind: "presence_query" } },
  queue: { type: "configuration_change", role: "user", metadata: { kind: "queue_query" } },
};

it.each<[Role, string[]]>([
  ["observer", ["presence", "queue"]],
  ["participant", ["prompt", "presence", "queue"]],
  ["operator", ["prompt", "interrupt", "configure", "presence", "queue"]],
  ["owner", ["prompt", "interrupt", "configure", "bypass", "unknown", "presence", "queue"]],
])("a token of an %s may send %j, and is refused the rest", async (role, allowed) => {
  const client = await open(await personOf(`${role}-person`, role));
  const [identity] = client.of("status_change", "identity");
  expect(identity!.metadata).toMatchObject({ name: `${role}-person`, role });
  for (const [name, request] of Object.entries(REQUESTS)) {
    const { subtype, error } = await client.request(request);
    if (allowed.includes(name)) expect([name, subtype, error]).toEqual([name, "success", undefined]);
    else expect([name, error]).toMatchObject([name, { code: "forbidden", status: 403 }]);
  }
  await api.call("PATCH", "/v1/sessions/a", { permissionMode: "default" });
});

it("open asks are told once more to those who may answer them, and not to others", async () => {
  await api.call("POST", "/v1/sessions", { id: "asked", agent: "mock", options: { pace: 0 } });
  await api.prompt("asked", "scenario:approve");
  const owner = await open(daemon, "asked");
  await owner.first("permission_request");
  const people = await Promise.all([
    personOf("watching", "observer"),
    personOf("talking", "participant"),
    personOf("working", "operator"),
  ]);
  const counts: number[] = [];
  for (const person of people) {
    const client = await open(person, "asked");
    const asked = client.frames.filter(({ payload }) => payload.type === "permission_request");
    counts.push(asked.filter(({ seq }) => seq === undefined).length);
    expect(asked.filter(({ seq }) => seq !== undefined)).toHaveLength(1);
    const { request_id } = asked[0]!.payload.metadata;
    if (person === people[2]) continue;
    const refused = await client.request({
      type: "permission_response",
      role: "user",
      metadata: { request_id, behavior: "allow" },
    });
    expect(refused).toMatchObject({ subtype: "error", request_id, error: { code: "forbidden" } });
  }
  expect(counts).toEqual([0, 0, 1]);
});

it("a token for one session opens no other, and learns nothing of it", async () => {
  const person = await personOf("guest", "participant", { sessions: ["b"] });
  await open(person, "b");
  const headers = { authorization: `Bearer ${person.token}` };
  for (const session of ["a", "none"]) {
    const refused = await refusal(daemon.url, `/v1/sessions/${session}/unified`, { headers });
    expect(refused.body).toMatchObject({ status: 404, code: "session_not_found" });
  }
});

it("a token that is revoked ends its sockets with 4001, and opens none any more", async () => {
  const [revoked, other] = [await personOf("leaving", "operator"), await personOf("staying", "operator")];
  const [gone, stays] = [await open(revoked), await open(other)];
  expect((await api.request("DELETE", `/v1/tokens/${revoked.id}`)).ok).toBe(true);
  expect(await gone.client.ended()).toMatchObject({ code: 4001 });
  const headers = { authorization: `Bearer ${revoked.token}` };
  expect((await refusal(daemon.url, "/v1/sessions/a/unified", { headers })).status).toBe(401);
  expect(await stays.request(REQUESTS.presence!)).toMatchObject({ subtype: "success" });
});
