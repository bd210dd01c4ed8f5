/** Tokens, invitations and the audit log by real requests. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TESTER } from "../../testkit/tester.ts";
import { type RealServer, startRealServer } from "../real-server-test-support.ts";

let server: RealServer;

beforeEach(async () => {
  server = await startRealServer();
  await server.engine.run(
    "createSession",
    { id: "a", agent: "mock", cwd: server.root, options: { pace: 0 } },
    TESTER,
  );
});

afterEach(() => server.close());

const post = (path: string, body: unknown, token?: string) =>
  server.call("POST", path, { body, ...(token !== undefined && { headers: bearer(token) }) });
const get = (path: string, token?: string) =>
  server.call("GET", path, token === undefined ? {} : { headers: bearer(token) });

function bearer(token: string): Record<string, string | undefined> {
  return { authorization: token === "" ? undefined : `Bearer ${token}` };
}

describe("POST /v1/tokens", () => {
  test("gives the token once, and then never again", async () => {
    const expiresAt = Date.now() + 60_000;
    const wanted = { name: "anna", role: "observer", sessions: ["a"], agents: ["mock"], expiresAt };
    const { status, body } = await post("/v1/tokens", wanted);
    expect(status).toBe(201);
    const { token, link, reachable, missing, ...rest } = body;
    // Of a daemon that only this machine reaches.
    expect(link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#token=${token}$`));
    expect({ reachable, missing }).toEqual({ reachable: false, missing: expect.any(Array) });
    expect(rest).toEqual({
      ...wanted,
      id: expect.any(String),
      createdAt: expect.any(Number),
      createdBy: "owner",
    });
    const listed = await get("/v1/tokens");
    expect(listed.body).toEqual({ tokens: [rest] });
    const me = await get("/v1/me", token);
    expect(me.body).toEqual({
      token: rest.id,
      ...wanted,
      rights: ["service.read", "session.read"],
    });
    const audit = await get("/v1/audit");
    for (const { text } of [listed, me, audit]) expect(text).not.toContain(token.slice(-43));
  });

  test.each<[string, object, string]>([
    ["no name", { role: "observer" }, "name"],
    ["an empty name", { name: "  ", role: "observer" }, "name"],
    ["a long name", { name: "x".repeat(65), role: "observer" }, "name"],
    ["a name with brackets", { name: "anna (phone)", role: "observer" }, "name"],
    ["a name with a line break", { name: "anna\nowner", role: "observer" }, "name"],
    ["the name of the owner", { name: "Owner", role: "observer" }, "name"],
    [
      "the name of the owner with a letter that is not seen",
      { name: "owner\u3164", role: "observer" },
      "name",
    ],
    ["the name of the owner with a mark that is not seen", { name: "owner\u034f", role: "observer" }, "name"],
    ["the name of the owner with a Cyrillic letter", { name: "\u043ewner", role: "observer" }, "name"],
    ["the name of whoever needs no token", { name: "anybody", role: "observer" }, "name"],
    ["the name of a port without a token", { name: "agentsmithy-port", role: "owner" }, "name"],
    ["that name with other separators", { name: "AgentSmithy_Port", role: "observer" }, "name"],
    ["that name in wide letters", { name: "\uff41gentsmithy port", role: "observer" }, "name"],
    ["the name of the daemon", { name: "Daemon", role: "observer" }, "name"],
    ["the name of the owner with an Armenian letter", { name: "\u0585wner", role: "observer" }, "name"],
    ["two spaces, which look like one", { name: "anna  b", role: "observer" }, "name"],
    ["no role", { name: "anna" }, "role"],
    ["an unknown role", { name: "anna", role: "admin" }, "role"],
    ["no sessions", { name: "anna", role: "observer", sessions: [] }, "sessions"],
    ["a session that is none", { name: "anna", role: "observer", sessions: ["../x"] }, "sessions.0"],
    ["no agents", { name: "anna", role: "observer", agents: [] }, "agents"],
    ["a time in the past", { name: "anna", role: "observer", expiresAt: Date.now() - 1 }, "expiresAt"],
    ["a time as text", { name: "anna", role: "observer", expiresAt: "2099-01-01" }, "expiresAt"],
    ["an unknown field", { name: "anna", role: "observer", colour: 1 }, "colour"],
  ])("refuses %s and names the field", async (_, wanted, path) => {
    const { status, body } = await post("/v1/tokens", wanted);
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(body.errors.map((error: { path: string }) => error.path)).toContain(path);
    expect((await get("/v1/tokens")).body.tokens).toEqual([]);
  });

  test("refuses an unknown agent, and a name that is taken", async () => {
    const unknown = await post("/v1/tokens", { name: "anna", role: "observer", agents: ["mok"] });
    expect([unknown.status, unknown.body.code]).toEqual([404, "agent_not_found"]);
    expect(unknown.body.detail).toContain('Did you mean "mock"?');
    await post("/v1/tokens", { name: "anna", role: "observer", agents: ["claude-code"] });
    expect((await get("/v1/tokens")).body.tokens[0].agents).toEqual(["claude"]);
    const taken = await post("/v1/tokens", { name: "Anna", role: "observer" });
    expect([taken.status, taken.body.code]).toEqual([409, "token_exists"]);
  });

  test("gives none that outlives the token that makes it", async () => {
    const expiresAt = Date.now() + 60_000;
    const { token } = (await post("/v1/tokens", { name: "short", role: "owner", expiresAt })).body;
    const later = await post("/v1/tokens", { name: "x", role: "observer", expiresAt: expiresAt + 1 }, token);
    expect([later.status, later.body.errors?.[0].path]).toEqual([400, "expiresAt"]);
    const made = await post("/v1/tokens", { name: "x", role: "observer" }, token);
    expect(made.body).toMatchObject({ expiresAt, createdBy: "short" });
    const invited = await post("/v1/sessions/a/invitations", {}, token);
    expect(invited.body).toMatchObject({ expiresAt, createdBy: "short" });
  });
});

test("a token that is revoked is not accepted, in the same words as one that never was", async () => {
  const { id, token } = (await post("/v1/tokens", { name: "anna", role: "observer" })).body;
  expect((await get("/v1/me", token)).status).toBe(200);
  expect((await server.call("DELETE", `/v1/tokens/${id}`)).status).toBe(204);
  const refused = await get("/v1/me", token);
  expect(refused.status).toBe(401);
  expect(refused.body.detail).toContain("revoked or expired: ask whoever gave it to you");
  expect((await get("/v1/me", "itk_wrong")).body).toEqual(refused.body);
  const again = await server.call("DELETE", `/v1/tokens/${id}`);
  expect([again.status, again.body.code]).toEqual([404, "token_not_found"]);
});

describe("invitations", () => {
  test("give a token for the one session", async () => {
    const made = await post("/v1/sessions/a/invitations", { role: "observer", name: "Anna" });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ session: "a", role: "observer", name: "Anna", reachable: false });
    expect(made.body.link).toBe(`${server.url}/#/join/${made.body.code}`);
    expect(made.body.missing).toHaveLength(3);
    const redeemed = await post("/v1/invitations/redeem", { code: made.body.code, name: "Ben" }, "");
    expect(redeemed.status).toBe(201);
    const { token, ...rest } = redeemed.body;
    expect(rest).toEqual({ session: "a", role: "observer", name: "Anna", expiresAt: expect.any(Number) });
    expect((await get("/v1/me", token)).body).toMatchObject({ name: "Anna", sessions: ["a"] });
    const listed = await get("/v1/sessions/a/invitations");
    expect(listed.body.invitations).toMatchObject([{ id: made.body.id, usedAt: expect.any(Number) }]);
    const audit = await get("/v1/audit?session=a");
    expect(audit.body.entries).toMatchObject([
      { action: "invitation.redeem", by: "Anna", session: "a", token: listed.body.invitations[0].token },
      { action: "invitation.create", by: "owner" },
    ]);
    for (const { text } of [listed, audit])
      for (const secret of [token, made.body.code]) expect(text).not.toContain(secret.slice(-43));
  });

  test("are for a participant, and need no body", async () => {
    const made = await server.call("POST", "/v1/sessions/a/invitations");
    expect(made.body).toMatchObject({ role: "participant" });
    expect(made.body.expiresAt - made.body.createdAt).toBe(86_400_000);
  });

  test.each<[string, object, string]>([
    ["a role that is too much", { role: "operator" }, "role"],
    ["a long time", { expiresInMs: 86_400_001 }, "expiresInMs"],
    ["no time", { expiresInMs: 0 }, "expiresInMs"],
    ["a wrong name", { name: "<b>" }, "name"],
    ["the name of a built-in principal", { name: "Agentsmithy-Port" }, "name"],
    ["an unknown field", { sessions: ["b"] }, "sessions"],
  ])("refuses %s and names the field", async (_, wanted, path) => {
    const { status, body } = await post("/v1/sessions/a/invitations", wanted);
    expect([status, body.errors?.[0].path]).toEqual([400, path]);
  });

  test("are of a session that exists", async () => {
    for (const [method, path] of [
      ["POST", "/v1/sessions/b/invitations"],
      ["GET", "/v1/sessions/b/invitations"],
      ["DELETE", "/v1/sessions/b/invitations/x"],
    ] as const) {
      const { status, body } = await server.call(method, path);
      expect([status, body.code]).toEqual([404, "session_not_found"]);
    }
  });

  test("that were used or revoked say so", async () => {
    const { code, id } = (await post("/v1/sessions/a/invitations", {})).body;
    const { token } = (await post("/v1/invitations/redeem", { code }, "")).body;
    const second = await post("/v1/invitations/redeem", { code }, "");
    expect([second.status, second.body.code]).toEqual([409, "invitation_used"]);
    expect((await server.call("DELETE", `/v1/sessions/a/invitations/${id}`)).status).toBe(204);
    expect((await get("/v1/me", token)).status).toBe(401);
    const third = await post("/v1/invitations/redeem", { code }, "");
    expect([third.status, third.body.code]).toEqual([404, "invitation_not_found"]);
  });

  test("are not exchanged under the name of a built-in principal, and work under another one", async () => {
    const { code } = (await post("/v1/sessions/a/invitations", {})).body;
    for (const name of ["anybody", "agentsmithy-port", "AGENTSMITHY PORT", "daemon", "Owner"]) {
      const { status, body } = await post("/v1/invitations/redeem", { code, name }, "");
      expect([status, body.errors?.[0].path]).toEqual([400, "name"]);
      expect(body.errors[0].message).toContain("Choose another name");
    }
    expect((await post("/v1/invitations/redeem", { code, name: "Ben" }, "")).status).toBe(201);
  });

  test("go with their session, and what they gave does not open the next one of its id", async () => {
    const { code } = (await post("/v1/sessions/a/invitations", {})).body;
    const unused = (await post("/v1/sessions/a/invitations", {})).body.code;
    const { token } = (await post("/v1/invitations/redeem", { code }, "")).body;
    expect((await server.call("DELETE", "/v1/sessions/a")).status).toBe(204);
    expect((await get("/v1/me", token)).status).toBe(401);
    await server.engine.run("createSession", { id: "a", agent: "mock", cwd: server.root }, TESTER);
    expect((await get("/v1/sessions/a", token)).status).toBe(401);
    expect((await post("/v1/invitations/redeem", { code: unused }, "")).status).toBe(404);
  });

  test("wrong codes are limited, and do not keep the right one from this machine away", async () => {
    await server.close();
    server = await startRealServer({ limits: { failuresPerSecond: 0.01, failureBurst: 3 } });
    await server.engine.run("createSession", { id: "a", agent: "mock", cwd: server.root }, TESTER);
    const { code } = (await post("/v1/sessions/a/invitations", {})).body;
    const wrong = `${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}`;
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1)
      statuses.push((await post("/v1/invitations/redeem", { code: wrong }, "")).status);
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
    expect((await post("/v1/invitations/redeem", { code }, "")).status).toBe(201);
  });
});

describe("GET /v1/audit", () => {
  test("is read page by page, by session and by name", async () => {
    for (let n = 0; n < 5; n += 1) await post("/v1/tokens", { name: `n${n}`, role: "observer" });
    await server.call("POST", "/v1/sessions/a/invitations", { headers: { "x-interlingua-client": "phone" } });
    const first = (await get("/v1/audit?limit=4")).body;
    expect(first.entries).toHaveLength(4);
    expect(first).toMatchObject({ hasMore: true, before: first.entries[3].seq });
    const second = (await get(`/v1/audit?limit=4&before=${first.before}`)).body;
    expect(second).toMatchObject({ hasMore: false });
    const all = [...first.entries, ...second.entries];
    expect(all.map(({ seq }: { seq: number }) => seq)).toEqual(all.map((_, n) => all.length - n));
    expect((await get("/v1/audit?session=a")).body.entries).toMatchObject([{ by: "owner (phone)" }]);
    expect((await get("/v1/audit?by=owner")).body.entries).toHaveLength(all.length);
    expect((await get("/v1/audit?by=own")).body.entries).toEqual([]);
  });

  test.each(["limit=0", "limit=1001", "before=x", "session=..", "by=", "colour=1"])(
    "refuses %s",
    async (query) => {
      const { status, body } = await get(`/v1/audit?${query}`);
      expect([status, body.errors?.[0].path]).toEqual([400, query.split("=")[0]]);
    },
  );
});
