/** OpenCode is stopped, steered, changed and taken back. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hang, inPieces, slow, text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { ofType } from "./agent-session.ts";
import {
  conversationRequests,
  lastMessages,
  OTHER_MODEL,
  openCodeSession,
  openCodeWorld,
} from "./opencode-world.ts";

it("stops in the middle of a text and of a command, and can go on", async () => {
  await using world = await openCodeWorld({
    scripts: () => ({
      endless: [text("I begin "), hang()],
      loop: [
        [toolCall("bash", { command: "while true; do sleep 0.1; done", description: "Loop" })],
        [text("?")],
      ],
      hello: [text("Hello again.")],
    }),
  });
  const session = await openCodeSession(world);
  const talk = await session.prompt("Talk [[endless]]");
  await session.event("text.delta");
  expect((await session.call("POST", "/interrupt")).body).toEqual({ interrupted: true });
  expect(await session.turnOf(talk.message)).toMatchObject({
    ended: { outcome: "interrupted" },
    text: "I begin ",
  });

  const loop = await session.prompt("Loop [[loop]]");
  await until(async () => (await leftoverProcesses(world.data)).length > 1);
  await session.call("POST", "/interrupt");
  expect((await session.turnOf(loop.message)).ended.outcome).toBe("interrupted");
  await until(async () => (await leftoverProcesses(world.data)).length === 1);

  expect((await session.run("Now [[hello]]")).text).toBe("Hello again.");
  expect(ofType(session.events, "turn.ended")).toHaveLength(3);
  expect(ofType(session.events, "session.attached")).toHaveLength(1);
});

it("takes up a prompt in the middle of its work", async () => {
  await using world = await openCodeWorld({
    scripts: (project) => ({
      work: [
        [
          slow(100),
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

it("goes back: the conversation forgets, and so do the files, also after a rest", async () => {
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
  // OpenCode keeps copies of files only in a repository that has begun.
  execFileSync("git", ["init", "--quiet"], { cwd: world.project });
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  execFileSync("git", [...author, "commit", "--quiet", "--allow-empty", "-m", "Begin"], {
    cwd: world.project,
  });
  const file = world.write("a.txt", "as it was");
  const session = await openCodeSession(world);
  await session.run("Say [[hello]]");
  const { message } = await session.prompt("Write kestrel [[write]]");
  await session.turnOf(message);
  expect(readFileSync(file, "utf8")).toBe("changed");
  await session.event("session.detached");
  const answer = await session.call("POST", "/rewind", { before: message });
  expect(answer.body).toMatchObject({ agentForgot: true });
  expect(readFileSync(file, "utf8")).toBe("as it was");
  expect((await session.run("And now? [[hello]]")).text).toBe("Hello.");
  expect(lastMessages(world)).toContain("Say [[hello]]");
  expect(lastMessages(world)).not.toContain("kestrel");
});
