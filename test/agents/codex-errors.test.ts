/** What a person reads when Codex cannot be used as it is set up, or does not take what it is given. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { freeformToolCall, text } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { codexWorld } from "./codex-world.ts";

it("a patch that does not fit is told to the model, and nothing is left open", async () => {
  const patch = "*** Begin Patch\n*** Update File: nowhere.txt\n@@\n-a\n+b\n*** End Patch";
  await using world = await codexWorld({
    scripts: () => ({ patch: [[freeformToolCall("apply_patch", patch)], [text("It did not fit.")]] }),
  });
  const session = await world.session({ permissionMode: "bypass" });
  const turn = await session.run("Patch [[patch]]");
  expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "It did not fit." });
  expect(ofType(turn.events, "file.edited")).toEqual([]);
});

it("a prompt that is too long is refused with what to do", async () => {
  await using world = await codexWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const session = await world.session();
  const { ended } = await session.run("x".repeat(1_048_577));
  expect(ended.error).toMatchObject({
    code: "not_delivered",
    message: expect.stringMatching(/1048576.*file/),
  });
  expect((await session.run("Short [[hello]]")).text).toBe("Hello.");
});

it("says which version is too old", async () => {
  const answer = (id: string, result: object) => JSON.stringify({ id, result });
  const words = [
    answer("control:1", { userAgent: "interlingua/0.99.0 (Linux)" }),
    answer("control:2", { account: null, requiresOpenaiAuth: false }),
  ];
  const script = `read a; echo '${words[0]}'; read b; read c; echo '${words[1]}'; cat > /dev/null`;
  await using world = await codexWorld({ agents: { codex: { command: ["sh", "-c", script] } } });
  const session = await world.session();
  expect((await session.run("Hello")).ended.error).toMatchObject({
    code: "agent_version",
    message: expect.stringMatching(/0\.99\.0.*0\.160\.0.*interlingua agents install codex/),
  });
});

it("says how to sign in", async () => {
  await using world = await codexWorld({ environment: { OPENAI_API_KEY: undefined }, isBuiltIn: true });
  const session = await world.session();
  const { ended } = await session.run("Hello");
  expect(ended.error).toMatchObject({
    code: "agent_not_signed_in",
    message: expect.stringMatching(/codex login.*CODEX_API_KEY/),
  });
});

it("signs in with a key for as long as it runs, and the key is written down nowhere", async () => {
  await using world = await codexWorld({ scripts: () => ({ hello: [text("Hello.")] }), isBuiltIn: true });
  const session = await world.session({ env: { CODEX_API_KEY: "sk-very-secret" } });
  const turn = await session.run("Hello [[hello]]");
  expect(turn.text).toBe("Hello.");
  expect(world.model.requests.at(-1)?.headers.authorization).toBe("Bearer sk-very-secret");
  expect(existsSync(join(world.home, ".codex", "auth.json"))).toBe(false);
  expect((await session.call("GET", "/raw?limit=1000")).text).not.toContain("sk-very-secret");
});

it("goes on without an MCP server that does not start", async () => {
  await using world = await codexWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const session = await world.session({ mcpServers: { broken: { command: "/bin/false" } } });
  expect((await session.run("Hello [[hello]]")).text).toBe("Hello.");
  const notice = await session.event("notice", ({ text: words }) => words.includes("broken"));
  expect(notice).toMatchObject({ level: "warning" });
});
