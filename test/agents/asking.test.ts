/** Real agents as they report their modes, settings and commands: nobody below the owner turns their asking off. */
import { expect, it } from "vitest";
import { call } from "../../src/server/http-client-test-support.ts";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { ACP_AGENTS } from "./acp-agents.ts";
import { AgentWorld } from "./agent-world.ts";

const AUTOPILOT = "https://agentclientprotocol.com/protocol/session-modes#autopilot";

/** What turns its asking off: changes with the field that is refused, and slash commands. */
const AGENTS = [
  {
    name: "copilot",
    changes: [
      [{ settings: { allow_all: "on" } }, "settings.allow_all"],
      [{ mode: AUTOPILOT }, "mode"],
    ],
    commands: ["/allow-all", " /ALLOW-ALL on", "/yolo"],
    harmless: "/context",
    bypass: { settings: { allow_all: "on" } },
  },
  {
    name: "droid",
    changes: [
      [{ mode: "auto-high" }, "mode"],
      [{ mode: "auto-medium" }, "mode"],
    ],
    commands: [],
    harmless: undefined,
    bypass: { mode: "auto-high" },
  },
  {
    name: "gemini",
    changes: [[{ mode: "yolo" }, "mode"]],
    commands: ["/extensions install ./evil", "/extensions  LINK ./evil"],
    harmless: "/about",
    // It takes yolo only in a folder that its user has trusted.
    bypass: undefined,
  },
] as const;

it.each(AGENTS)("$name goes on asking whatever an operator or a participant tries", async (tried) => {
  const agent = ACP_AGENTS.find(({ name }) => name === tried.name)!;
  const scripts = () => ({ hello: [text("Hello.")], again: [text("Hello again.")] });
  await using world = await AgentWorld.start(agent, { scripts });
  const tokenOf = async (role: string) => {
    const made = await call(world.url, "POST", "/v1/tokens", { body: { name: role, role } });
    return { authorization: `Bearer ${made.body.token}` };
  };
  const [operator, participant] = [await tokenOf("operator"), await tokenOf("participant")];
  const session = await world.session(agent.session);
  const at = `/v1/sessions/${session.id}`;
  const send = (headers: object, said: string) =>
    call(world.url, "POST", `${at}/messages`, { headers: { ...headers }, body: { text: said } });
  const asks = async () => (await session.view()).asks as { asks: string; path?: string };

  const hello = await send(participant, "Hello [[hello]]");
  expect(hello.status, hello.text).toBe(202);
  expect((await session.turnOf(hello.body.message)).ended.outcome).toBe("completed");
  expect((await asks()).asks).toBe("yes");

  for (const [change, path] of tried.changes) {
    const refused = await call(world.url, "PATCH", at, { headers: operator, body: change });
    expect(refused).toMatchObject({ status: 403, body: { code: "forbidden", errors: [{ path }] } });
  }
  for (const command of tried.commands)
    expect(await send(participant, command)).toMatchObject({
      status: 403,
      body: {
        code: "forbidden",
        detail: expect.stringContaining("needs the role owner"),
        errors: [{ path: "parts" }],
      },
    });
  if (tried.harmless) {
    const given = await send(participant, tried.harmless);
    expect(given.status, given.text).toBe(202);
    await session.turnOf(given.body.message);
  }
  expect((await asks()).asks).toBe("yes");

  // Its raw records do not say whose prompts these were, so it cannot be played again.
  world.sessions.splice(0);
  if (!tried.bypass) return;

  // The owner may, and then a participant may not prompt any more.
  expect((await call(world.url, "PATCH", at, { body: tried.bypass })).status).toBe(200);
  expect(await asks()).toMatchObject({ asks: "no", path: tried.changes[0][1] });
  expect(await send(participant, "Hello [[again]]")).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining("needs the role operator") },
  });
  const again = await send(operator, "Hello [[again]]");
  expect(again.status, again.text).toBe(202);
  await session.turnOf(again.body.message);
});

it("grok does not say that it has stopped asking, and a participant does not lead it any more", async () => {
  const agent = ACP_AGENTS.find(({ name }) => name === "grok")!;
  await using world = await AgentWorld.start(agent, { scripts: () => ({ hello: [text("Hello.")] }) });
  const made = await call(world.url, "POST", "/v1/tokens", { body: { name: "anna", role: "participant" } });
  const headers = { authorization: `Bearer ${made.body.token}` };
  const session = await world.session(agent.session);
  const send = (said: string) =>
    call(world.url, "POST", `/v1/sessions/${session.id}/messages`, { headers, body: { text: said } });

  const hello = await send("Hello [[hello]]");
  expect(hello.status, hello.text).toBe(202);
  await session.turnOf(hello.body.message);
  expect(await send("/always-approve on")).toMatchObject({
    status: 403,
    body: { errors: [{ path: "parts" }] },
  });
  const { message } = await session.prompt("/always-approve on");
  await session.turnOf(message);
  expect((await session.view()).asks).toMatchObject({ asks: "unknown" });
  expect((await send("Hello [[hello]]")).status).toBe(403);
  world.sessions.splice(0);
});
