/** How OpenCode is steered, changed and taken back, where it differs from others. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inPieces, slow, text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { AgentWorld } from "./agent-world.ts";
import {
  conversationRequests,
  lastMessages,
  OPENCODE_AGENT,
  OTHER_MODEL,
  openCodeSession,
  openCodeWorld,
} from "./opencode-world.ts";

it("takes up a prompt in the middle of its work", async () => {
  await using world = await openCodeWorld({
    scripts: (project) => ({
      work: [
        [
          // Long enough for the second prompt, also on a machine that is busy.
          slow(300),
          text(...inPieces("I look at it for a while. ", 2)),
          toolCall("read", { filePath: join(project, "a") }),
        ],
        [text("Worked.")],
      ],
      more: [text("And more.")],
    }),
  });
  world.write("a", "A");
  const session = await openCodeSession(world);
  await session.prompt("Work [[work]]");
  await session.event("text.delta");
  const steered = await session.prompt("Look at this too [[more]]", { whenBusy: "steer" });
  expect(steered.state).toBe("steered");
  const turn = await session.turnOf(steered.message);
  expect(turn.text).toBe("I look at it for a while. And more.");
  expect(ofType(turn.events, "message.started").at(-1)?.replyTo).toBe(steered.message);
  expect(ofType(session.events, "turn.ended")).toHaveLength(1);
});

it("takes another model and another mode", async () => {
  await using world = await openCodeWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const session = await openCodeSession(world);
  await session.run("One [[hello]]");
  await session.call("PATCH", "", { model: OTHER_MODEL, mode: "plan" });
  await session.run("Two [[hello]]");
  expect(conversationRequests(world.model).map(({ model }) => model)).toEqual(["large", "small"]);
  expect(lastMessages(world)).toMatch(/plan mode/i);
  expect(await session.view()).toMatchObject({ model: OTHER_MODEL, mode: "plan" });
});

it.each([
  ["stay with checkpoints", "on", "changed"],
  ["go back too without checkpoints", "off", "as it was"],
] as const)("goes back: files %s, also after a rest", async (_, checkpoints, left) => {
  await using world = await openCodeWorld({
    limits: { idleDetachMs: 500 },
    scripts: (project) => ({
      write: [
        [toolCall("write", { filePath: join(project, "a.txt"), content: "changed" })],
        [text("Written.")],
      ],
      hello: [text("Hello.")],
    }),
  });
  // OpenCode would keep copies of files, and put them back, only in a repository that has begun.
  execFileSync("git", ["init", "--quiet"], { cwd: world.project });
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  execFileSync("git", [...author, "commit", "--quiet", "--allow-empty", "-m", "Begin"], {
    cwd: world.project,
  });
  const file = world.write("a.txt", "as it was");
  const session = await openCodeSession(world, { checkpoints });
  await session.run("Say [[hello]]");
  const { message } = await session.prompt("Write kestrel [[write]]");
  await session.turnOf(message);
  expect(readFileSync(file, "utf8")).toBe("changed");
  await session.event("session.detached");
  const answer = await session.call("POST", "/rewind", { before: message });
  expect(answer.body).toMatchObject({ agentForgot: true });
  expect(readFileSync(file, "utf8")).toBe(left);
  expect((await session.run("And now? [[hello]]")).text).toBe("Hello.");
  expect(lastMessages(world)).toContain("Say [[hello]]");
  expect(lastMessages(world)).not.toContain("kestrel");
});

it("works with OPENAI_API_KEY and no other key", async () => {
  const provider = (url: string) => ({
    openai: {
      options: { baseURL: `${url}/v1` },
      models: { scripted: { name: "Scripted", tool_call: true } },
    },
  });
  await using world = await AgentWorld.start(
    {
      ...OPENCODE_AGENT,
      environment: ({ url }) => ({
        ...OPENCODE_AGENT.environment({ url }),
        OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider: provider(url) }),
        OPENAI_API_KEY: "sk-only-openai",
      }),
    },
    { scripts: () => ({ hello: [text("Hello.")] }) },
  );
  const session = await world.session({ model: "openai/scripted", permissionMode: "bypass" });
  expect((await session.run("Hello [[hello]]")).text).toBe("Hello.");
  expect(world.model.requests.at(-1)?.headers.authorization).toBe("Bearer sk-only-openai");
});
