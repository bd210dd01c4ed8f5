/** `token`, `invite` and `audit` against a real daemon, as a person would call them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { post, run, type Served, serve, stop } from "../test-support.ts";

let directory: string;
let daemon: Served;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-people-"));
  daemon = await serve(["--data", directory], { cwd: directory });
  for (const id of ["demo", "demolished"]) await post(daemon, "/v1/sessions", { id, agent: "mock" });
});

afterAll(async () => {
  await stop(daemon);
  rmSync(directory, { recursive: true });
});

const call = (...args: string[]) => run([...args, "--data", directory], { cwd: directory });
const json = async (...args: string[]) => JSON.parse((await call(...args, "--json")).stdout);

function me(token: string): Promise<Response> {
  return fetch(`${daemon.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
}

describe("token", () => {
  test("create prints the token alone, which works until it is revoked by name", async () => {
    const limits = ["--session", "demo", "--session", "later", "--agent", "mock", "--expires", "7d"];
    const before = Date.now();
    const { code, stdout, stderr } = await call(
      "token",
      "create",
      "anna",
      "--role",
      "participant",
      ...limits,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^itk_[0-9a-f]{16}_[\w-]{43}\n$/);
    expect(stderr).toContain('There is no session "later" yet.');
    expect(stderr).not.toContain('"demo"');
    const token = stdout.trim();
    const found = (await (await me(token)).json()) as { expiresAt: number };
    expect(found).toMatchObject({
      name: "anna",
      role: "participant",
      sessions: ["demo", "later"],
      agents: ["mock"],
    });
    expect(found.expiresAt - before).toBeGreaterThanOrEqual(7 * 86_400_000);

    const listed = await call("token", "list");
    expect(listed.stdout).toMatch(
      /ENDS IN .*\n[0-9a-f]{16} +anna +participant +demo, later, mock +[67]d +\d+s ago +owner \(cli\)\n$/,
    );
    expect(listed.stdout + listed.stderr).not.toContain(token.slice(-43));

    const mistyped = await call("token", "revoke", "anan");
    expect(mistyped.code).toBe(1);
    expect(mistyped.stderr).toContain('There is no token "anan". Did you mean "anna"?');
    expect(await call("token", "revoke", "Anna")).toMatchObject({ code: 0 });
    expect((await me(token)).status).toBe(401);
    expect((await call("token", "list")).stderr).toContain("There is no token but that of the daemon.");
  });

  test("revoke takes an id, too", async () => {
    const { id, token } = await json("token", "create", "ben", "--role", "observer");
    expect(await json("token", "revoke", id)).toEqual({ id, name: "ben", revoked: true });
    expect((await me(token)).status).toBe(401);
  });

  test.each<[string[], string]>([
    [["create", "x"], "token create needs --role: one of observer, participant, operator, owner."],
    [["create", "x", "--role", "admin"], '--role: there is no "admin".'],
    [["create", "x", "--role", "observer", "--expires", "soon"], '--expires: "soon" is not a duration.'],
    [["create", "x", "--role", "observer", "--expires", "0d"], '--expires: "0d" is not a duration.'],
    [["create", "--role", "observer"], "token create needs NAME."],
    [["revoke"], "token revoke needs TOKEN."],
  ])("%j is refused in one line", async (args, sentence) => {
    const { code, stdout, stderr } = await call("token", ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(sentence);
  });

  test("create tells what the daemon refuses", async () => {
    const refused = await call("token", "create", "owner", "--role", "observer");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("must not be one of owner");
  });
});

describe("invite", () => {
  test("prints the link, and what is missing to follow it from elsewhere", async () => {
    const { code, stdout, stderr } = await call("invite", "demo", "--role", "observer", "--name", "Zoë");
    expect(code).toBe(0);
    const [, link, invitation] = /^(\S+)\/#\/join\/(inv_\S+)\n$/.exec(stdout) ?? [];
    expect(link).toBe(daemon.url);
    expect(stderr).toContain("This link works on this machine only.");
    expect(stderr).toContain("--allow-host");
    const redeemed = await fetch(`${daemon.url}/v1/invitations/redeem`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: invitation }),
    });
    expect(await redeemed.json()).toMatchObject({ session: "demo", role: "observer", name: "Zoë" });
  });

  test("takes the beginning of an id, and a session there is", async () => {
    expect((await json("invite", "demol")).session).toBe("demolished");
    expect(await call("invite", "dem")).toMatchObject({ code: 2 });
    expect((await call("invite", "nobody")).stderr).toContain('There is no session "nobody".');
  });

  test.each<[string[], number, string]>([
    [["--role", "owner"], 2, 'there is no "owner" for guests'],
    [["--expires", "2d"], 1, "must be at most a day"],
  ])("%j is refused", async (args, code, sentence) => {
    const refused = await call("invite", "demo", ...args);
    expect(refused).toMatchObject({ code, stdout: "" });
    expect(refused.stderr).toContain(sentence);
  });
});

describe("audit", () => {
  test("lists who did what, of everybody, a session or a name", async () => {
    await post(daemon, "/v1/sessions", { id: "gone", agent: "mock" });
    await call("invite", "gone");
    await call("sessions", "delete", "gone", "--yes");
    const all = (await json("audit", "--limit", "100000")) as { action: string; session?: string }[];
    expect(all.map(({ action }) => action)).toEqual(expect.arrayContaining(["token.create", "token.revoke"]));
    const of = (await json("audit", "--session", "gone")) as { action: string }[];
    expect(of.map(({ action }) => action)).toContain("invitation.create");
    expect(await json("audit", "--by", "Zoë")).toMatchObject([
      { action: "invitation.redeem", role: "observer" },
    ]);
    expect(await json("audit", "--limit", "2")).toHaveLength(2);
    expect((await call("audit", "--by", "Zoë")).stdout).toMatch(
      /^AGE +BY +ACTION .*\n\d+\w +Zoë +invitation.redeem +demo +done/,
    );
    expect((await call("audit", "--by", "nobody")).stderr).toContain("Nothing was written down.");
    expect(await call("audit", "--session", "never")).toMatchObject({ code: 1 });
    expect(await call("audit", "--limit", "0")).toMatchObject({ code: 2 });
  });
});

test.each([["token", "list"], ["invite", "demo"], ["audit"], ["token", "create", "x", "--role", "observer"]])(
  "without a daemon %j says that it needs one",
  async (...args) => {
    const { code, stdout, stderr } = await run([...args, "--data", join(directory, "none")], {
      cwd: directory,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("Start one with: interlingua serve");
  },
);
