/** ACP agents from npm that resume a session in a way of their own. They are no presets: the config names them. */
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { installLocked } from "../locked-packages.ts";
import { type AgentSession, ofType } from "./agent-session.ts";
import { type AgentUnderTest, AgentWorld } from "./agent-world.ts";

const NANOCODER: AgentUnderTest = {
  name: "nanocoder",
  isBuiltIn: true,
  environment: () => ({}),
  files: ({ url }) => ({
    ".config/nanocoder/agents.config.json": JSON.stringify({
      nanocoder: {
        providers: [{ name: "scripted", baseUrl: `${url}/v1`, apiKey: "sk-scripted", models: ["scripted"] }],
      },
    }),
  }),
};

const scripts = () => ({
  hello: [[text("I look. "), toolCall("read_file", { path: "word.txt" })], [text("Hello, ", "world.")]],
  recall: [text("I remember.")],
});

let packages: string;

beforeAll(async () => {
  packages = join(await installLocked(resolve(import.meta.dirname, "../acp-agents")), "node_modules");
}, 600_000);

it("nanocoder tells its history again when it resumes, and the log has it once", async () => {
  const program = join(packages, "@nanocollective/nanocoder/dist/cli.js");
  const nanocoder = { protocol: "acp" as const, command: [process.execPath, program, "--acp"] };
  await using world = await AgentWorld.start(NANOCODER, { scripts, agents: { nanocoder } });
  const session = await world.session();
  world.write("word.txt", "kestrel");
  expect((await session.run("The word is kestrel. [[hello]]")).text).toContain("Hello, world.");

  await restart(world, session);
  const recall = await session.run("What was the word? [[recall]]");
  expect(recall.text).toBe("I remember.");
  expect(ofType(session.events, "session.attached").at(-1)).toMatchObject({ resumed: true });
  expect(ofType(session.events, "turn.started").map(({ origin }) => origin)).toEqual(["user", "user"]);
  expect(ofType(session.events, "tool.start")).toHaveLength(1);
  expect(ofType(session.events, "notice").filter(({ code }) => code === "agent")).toEqual([]);
  expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain("kestrel");
});

async function restart(world: AgentWorld, session: AgentSession): Promise<void> {
  await world.stopDaemon();
  await world.startDaemon();
  await session.watch();
}
