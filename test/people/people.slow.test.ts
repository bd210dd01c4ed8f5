/** Tokens, invitations and the audit log with real daemons: streams that end, restarts, crashes, and what is secret. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonProcess } from "../crash/daemon-process.ts";
import { DaemonClient, dataLines } from "../daemon-client.ts";

interface Made {
  id: string;
  token: string;
}

const DYING = join(import.meta.dirname, "redeeming-daemon.ts");

let directory: string;
let daemon: DaemonProcess;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-people-"));
  daemon = await DaemonProcess.start(directory, { environment: { INTERLINGUA_LOG_LEVEL: "debug" } });
  await daemon.call("POST", "/v1/sessions", { id: "s", agent: "mock", options: { pace: 0 } });
});

afterEach(async () => {
  await daemon.kill();
  rmSync(directory, { recursive: true, force: true });
});

const as = (token: string) => new DaemonClient({ url: daemon.url, token });
const makeToken = (body: object) => daemon.call<Made>("POST", "/v1/tokens", body);
const invite = (body: object = {}) =>
  daemon.call<{ id: string; code: string }>("POST", "/v1/sessions/s/invitations", body);
const redeem = (code: string, name?: string) =>
  as("").request("POST", "/v1/invitations/redeem", { code, ...(name && { name }) });

async function restart(): Promise<void> {
  await daemon.kill("SIGTERM");
  daemon = await DaemonProcess.start(directory);
}

/** Follows a stream until it ends. */
async function follow(token: string, path: string) {
  const response = await as(token).request("GET", path);
  expect(response.status).toBe(200);
  const stream = { lines: [] as string[], isOpen: true };
  const ended = (async () => {
    try {
      for await (const line of dataLines(response)) stream.lines.push(line);
    } catch {
      // Cut off is ended, too.
    }
    stream.isOpen = false;
  })();
  return Object.assign(stream, { ended });
}

async function code(response: Promise<Response>): Promise<string> {
  const { status, ok, body } = await response.then(async (got) => ({
    status: got.status,
    ok: got.ok,
    body: (await got.json()) as { code?: string },
  }));
  return ok ? String(status) : `${status} ${body.code}`;
}

describe("a token that is revoked", () => {
  test("ends its open streams of every kind, and no others", async () => {
    const anna = await makeToken({ name: "anna", role: "participant", sessions: ["s"] });
    const ben = await makeToken({ name: "ben", role: "observer" });
    const paths = ["/v1/sessions/s/events/sse", "/v1/events/sse?after=s:0", "/v1/feed/sse"];
    const open = (token: string) => Promise.all(paths.map((path) => follow(token, path)));
    const [hers, his, own] = [await open(anna.token), await open(ben.token), await open(daemon.token)];
    expect((await daemon.request("DELETE", `/v1/tokens/${anna.id}`)).status).toBe(204);
    await Promise.all(hers.map(({ ended }) => ended));
    await daemon.prompt("s", "scenario:text");
    await until(() =>
      [...his, ...own].every(({ lines }) => lines.some((line) => /turn.ended|"idle"/.test(line))),
    );
    expect([...his, ...own].every(({ isOpen }) => isOpen)).toBe(true);
    expect(hers.some(({ lines }) => lines.some((line) => line.includes("prompt.accepted")))).toBe(false);
    expect(await code(as(anna.token).request("GET", "/v1/me"))).toBe("401 unauthorized");
  });

  test("of an invitation or of a deleted session ends its streams as well", async () => {
    const [one, two] = [await invite(), await invite()];
    const tokens = await Promise.all(
      [one, two].map(async (each) => ((await (await redeem(each.code)).json()) as Made).token),
    );
    const [first, second] = await Promise.all(
      tokens.map((token) => follow(token, "/v1/sessions/s/events/sse")),
    );
    expect((await daemon.request("DELETE", `/v1/sessions/s/invitations/${one.id}`)).status).toBe(204);
    await first!.ended;
    expect(second!.isOpen).toBe(true);
    const feed = await follow(tokens[1]!, "/v1/feed/sse");
    expect((await daemon.request("DELETE", "/v1/sessions/s")).status).toBe(204);
    await Promise.all([second!.ended, feed.ended]);
    expect(await code(as(tokens[1]!).request("GET", "/v1/me"))).toBe("401 unauthorized");
  });
});

test("a token that expires ends its streams and is not accepted", async () => {
  const { token } = await makeToken({ name: "brief", role: "observer", expiresAt: Date.now() + 2000 });
  const stream = await follow(token, "/v1/feed/sse");
  await stream.ended;
  expect(await code(as(token).request("GET", "/v1/me"))).toBe("401 unauthorized");
  expect(await daemon.call("GET", "/v1/tokens")).toEqual({ tokens: [] });
});

test("a restart keeps tokens, invitations and who did what", async () => {
  const anna = await makeToken({ name: "anna", role: "operator", agents: ["mock"] });
  const gone = await makeToken({ name: "gone", role: "owner" });
  await daemon.request("DELETE", `/v1/tokens/${gone.id}`);
  const open = await invite({ name: "Ben" });
  await as(anna.token).call("POST", "/v1/sessions/s/messages", { text: "scenario:text" });
  expect(await code(as(anna.token).request("DELETE", "/v1/sessions/s"))).toBe("403 forbidden");
  await restart();
  expect(await as(anna.token).call("GET", "/v1/me")).toMatchObject({ name: "anna", agents: ["mock"] });
  expect(await code(as(gone.token).request("GET", "/v1/me"))).toBe("401 unauthorized");
  expect(await code(redeem(open.code))).toBe("201");
  const { entries } = await daemon.call<{ entries: Record<string, string>[] }>("GET", "/v1/audit");
  const told = entries.map(({ by, action, outcome }) => `${by}: ${action} ${outcome}`);
  for (const line of [
    "owner: session.create done",
    "owner: token.revoke done",
    "anna: session.prompt done",
    "anna: session.delete refused",
    "Ben: invitation.redeem done",
  ])
    expect(told).toContain(line);
});

test("secrets stand in no log, no file, no list and no entry", async () => {
  const anna = await makeToken({ name: "anna", role: "owner" });
  const open = await invite();
  const used = await invite();
  const guest = (await (await redeem(used.code)).json()) as Made;
  await redeem(`${open.code.slice(0, -1)}${open.code.endsWith("A") ? "B" : "A"}`);
  await as(`${anna.token}x`).request("GET", "/v1/me");
  await as(guest.token).call("POST", "/v1/sessions/s/messages", { text: "scenario:text" });
  const answers = await Promise.all(
    ["/v1/tokens", "/v1/audit", "/v1/sessions/s/invitations", "/v1/sessions/s/events", "/metrics"].map(
      async (path) => (await as(anna.token).request("GET", path)).text(),
    ),
  );
  // While it runs, when the newest is in SQLite's own log, and afterwards.
  const running = contentsOf(directory);
  await daemon.kill("SIGTERM");
  const everything = [...answers, daemon.errors, ...running, ...contentsOf(directory)].join("\n");
  expect(everything).toContain("anna");
  for (const secret of [anna.token, open.code, used.code, guest.token])
    expect(everything.includes(secret.slice(-43)), secret).toBe(false);
});

function contentsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() ? [readFileSync(path, "latin1")] : [];
  });
}

test("of two who exchange one code at the same moment one wins, a hundred times", async () => {
  for (let n = 0; n < 100; n += 1) {
    const { id, code: secret } = await invite();
    const answers = await Promise.all([code(redeem(secret, "anna")), code(redeem(secret, "ben"))]);
    expect(answers.toSorted()).toEqual(["201", "409 invitation_used"]);
    const { tokens } = await daemon.call<{ tokens: { invitation?: string }[] }>("GET", "/v1/tokens");
    expect(tokens.map(({ invitation }) => invitation)).toEqual([id]);
    expect((await daemon.request("DELETE", `/v1/sessions/s/invitations/${id}`)).status).toBe(204);
  }
});

test("an owner of certain sessions makes no tokens, but invites to them", async () => {
  const { token } = await makeToken({ name: "lead", role: "owner", sessions: ["s"] });
  await daemon.call("POST", "/v1/sessions", { id: "other", agent: "mock" });
  const lead = as(token);
  expect(await code(lead.request("POST", "/v1/tokens", { name: "x", role: "observer" }))).toBe(
    "403 forbidden",
  );
  expect(await code(lead.request("GET", "/v1/tokens"))).toBe("403 forbidden");
  expect(await code(lead.request("DELETE", "/v1/tokens/x"))).toBe("403 forbidden");
  expect(await code(lead.request("GET", "/v1/audit"))).toBe("403 forbidden");
  expect(await code(lead.request("POST", "/v1/sessions/s/invitations", {}))).toBe("201");
  expect(await code(lead.request("POST", "/v1/sessions/other/invitations", {}))).toBe(
    "404 session_not_found",
  );
  expect(await code(lead.request("GET", "/v1/sessions/other/invitations"))).toBe("404 session_not_found");
});

test("a token of the role owner does what the daemon's own does", async () => {
  const { token } = await makeToken({ name: "second", role: "owner" });
  const second = as(token);
  expect(await code(second.request("POST", "/v1/tokens", { name: "third", role: "owner" }))).toBe("201");
  expect(await code(second.request("GET", "/v1/tokens"))).toBe("200");
  const { entries } = await second.call<{ entries: object[] }>("GET", "/v1/audit?limit=1");
  expect(entries).toMatchObject([{ by: "second", action: "token.create", role: "owner" }]);
  expect(await code(second.request("POST", "/v1/sessions/s/invitations"))).toBe("201");
});

test.each(["participant", "operator", "observer"])("%s neither invites nor sees tokens", async (role) => {
  const { token } = await makeToken({ name: "anna", role });
  for (const [method, path, body] of [
    ["POST", "/v1/tokens", { name: "x", role: "observer" }],
    ["GET", "/v1/tokens"],
    ["POST", "/v1/sessions/s/invitations", {}],
    ["GET", "/v1/sessions/s/invitations"],
    ["GET", "/v1/audit"],
  ] as const)
    expect(await code(as(token).request(method, path, body))).toBe("403 forbidden");
});

test.each(["before", "after"])(
  "a daemon killed right %s the exchange leaves no second token",
  async (moment) => {
    const { id, code: secret } = await invite();
    await daemon.kill("SIGTERM");
    daemon = await DaemonProcess.start(directory, { script: DYING, environment: { DIE: moment } });
    await expect(redeem(secret)).rejects.toThrow();
    await daemon.gone;

    const store = await openStore({ directory });
    const tokens = await store.listTokens();
    const invitation = await store.getInvitation(id);
    expect((await store.check()).problems).toEqual([]);
    await store.close();
    expect(tokens.map((token) => token.invitation)).toEqual(moment === "before" ? [] : [id]);
    expect(invitation?.token).toBe(tokens[0]?.id);

    daemon = await DaemonProcess.start(directory);
    expect(await code(redeem(secret))).toBe(moment === "before" ? "201" : "409 invitation_used");
    expect(await daemon.call("GET", "/v1/tokens")).toMatchObject({ tokens: [{ invitation: id }] });
  },
);
