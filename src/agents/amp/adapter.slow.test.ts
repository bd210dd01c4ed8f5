/** Amp's adapter over a stand-in of its command line: every recording, every generation of flags, and what goes wrong. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentOutput, ConnectOptions } from "../../core/adapter.ts";
import { checkLog } from "../../core/check-log.ts";
import type { Programs } from "../../core/program.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { describeAdapterContract } from "../../testkit/adapter-contract/index.ts";
import { type SessionRun, startRun } from "../../testkit/session-run.ts";
import { stubAmp } from "../../testkit/stub-amp/index.ts";
import { readHelp } from "./help.ts";
import { protocol } from "./protocol.ts";

const RECORDINGS = resolve(import.meta.dirname, "../../../test/fixtures/recordings/amp");
const HELPS = readdirSync(join(RECORDINGS, "help")).sort();
const NEWEST = HELPS.at(-1)!;

const directory = mkdtempSync(join(tmpdir(), "interlingua-amp-"));
let processHost: ProcessHost;

beforeAll(() => {
  for (const name of ["threads", "state", "project"]) mkdirSync(join(directory, name));
  const environment = {
    ...process.env,
    NODE_COMPILE_CACHE: resolve("node_modules/.cache/node-compile-cache"),
  };
  processHost = createProcessHost({
    daemonId: `amp-${process.pid}`,
    environment,
    pass: ["NODE_COMPILE_CACHE"],
  });
});

afterAll(async () => {
  await processHost.close();
  rmSync(directory, { recursive: true, force: true });
});

function programs(help: string, allowsAll = true): Programs {
  const stub = stubAmp({
    help: resolve(RECORDINGS, "help", help),
    threads: join(directory, "threads"),
    recordings: RECORDINGS,
    allowsAll,
  });
  return { find: async () => ({ ...stub, from: "config" }), install: () => Promise.reject(new Error("no")) };
}

function adapter(options: { help?: string; allowsAll?: boolean; startTimeoutMs?: number } = {}) {
  return protocol.createAdapter({
    processHost,
    programs: programs(options.help ?? NEWEST, options.allowsAll),
    directory: () => join(directory, "state"),
    environment: () => ({}),
    startTimeoutMs: options.startTimeoutMs,
  });
}

type RunOptions = Partial<ConnectOptions> & Parameters<typeof adapter>[0];

function open({ help, allowsAll, startTimeoutMs, ...connect }: RunOptions = {}): Promise<SessionRun> {
  const made = adapter({ help, allowsAll, startTimeoutMs });
  return startRun({ adapter: made, cwd: join(directory, "project"), ...connect });
}

async function expectSound(run: SessionRun): Promise<void> {
  expect(checkLog(await run.close(), { complete: true })).toEqual([]);
}

function argumentsOf({ outputs }: { outputs: readonly AgentOutput[] }): string[][] {
  return outputs.flatMap(({ raw }) =>
    raw.direction === "process" && raw.data.event === "spawn" ? [(raw.data.args as string[]).slice(2)] : [],
  );
}

describe.each(HELPS)("%s", (help) => {
  it("tells its flags and modes", () => {
    const { names, modes } = readHelp(readFileSync(join(RECORDINGS, "help", help), "utf8"));
    for (const flag of ["--execute", "--stream-json", "--stream-json-input", "--mcp-config"]) {
      expect(names).toContain(flag);
    }
    expect(modes.length).toBeGreaterThan(2);
  });

  it("runs turns of one thread with the flags it has, in the mode that was wanted", async () => {
    const run = await open({ help, mode: "medium" });
    expect((await run.turn("The word is kestrel.")).outcome).toBe("completed");
    expect((await run.turn("Which word?")).outcome).toBe("completed");
    expect(run.text).toContain("The word is kestrel.\nWhich word?");
    const [first, second] = argumentsOf(run);
    const { names, modes } = readHelp(readFileSync(join(RECORDINGS, "help", help), "utf8"));
    const flags = first!.filter((word) => word.startsWith("--"));
    expect(flags).toContain("--mode");
    expect(flags.filter((flag) => !names.has(flag))).toEqual([]);
    expect(modes).toContain(first![first!.indexOf("--mode") + 1]);
    expect(second!.slice(0, 2)).toEqual(["threads", "continue"]);
    expect(run.machine.state.agentSessionId).toBe(second![2]);
    await expectSound(run);
  });
});

describe("recordings", () => {
  const names = readdirSync(RECORDINGS)
    .filter((file) => file.endsWith(".jsonl") && !/sigint|jan2026_permission|two_turns/.test(file))
    .map((file) => file.replace(".jsonl", ""));

  it.each(names)("%s", async (name) => {
    const run = await open();
    const { outcome, error } = await run.turn(`[[${name}]]`);
    if (name.includes("error_400")) expect(error?.message).toContain("bad request from script");
    else if (name.includes("permission")) expect(error?.code).toBe("permission_required");
    else expect(outcome).toBe("completed");
    // The next turn works whatever the last one was.
    expect((await run.turn("Again.")).outcome).toBe("completed");
    await expectSound(run);
  });
});

it("ends a turn that would wait for a sign-in for ever, and says what to do", async () => {
  const run = await open();
  const { outcome, error } = await run.turn("[[login]]");
  expect(outcome).toBe("failed");
  expect(error?.code).toBe("agent_not_signed_in");
  expect(error?.message).toContain("AMP_API_KEY");
  // It is not on the PATH here, so it is named as it is started.
  expect(error?.message).toMatch(/Run `\/\S+.* login` in a terminal/);
  expect(run.of("auth.status").map(({ state }) => state)).toEqual(["required"]);
  await expectSound(run);
});

it("ends a turn that never begins", async () => {
  const run = await open({ startTimeoutMs: 5000 });
  expect((await run.turn("[[silent]]")).error?.code).toBe("timeout");
  await expectSound(run);
});

it("tells what is on stderr when it leaves without a word", async () => {
  const run = await open();
  const { outcome, error } = await run.turn("[[wrong-key]]");
  expect(outcome).toBe("failed");
  expect(error?.message).toContain("Invalid or missing API key");
  await expectSound(run);
});

it("stops by a signal, and goes on with the next prompt", async () => {
  const run = await open();
  await run.prompt("[[endless]]");
  await run.until(() => run.text.includes("I begin."));
  await run.interrupt();
  await run.until(() => run.of("turn.ended").length === 1);
  expect(run.of("turn.ended")[0]?.outcome).toBe("interrupted");
  expect((await run.turn("And now?")).outcome).toBe("completed");
  await expectSound(run);
});

describe("allow all", () => {
  it("is asked for with the flag, also where the help does not tell about it", async () => {
    const run = await open({ permissionMode: "bypass" });
    expect((await run.turn("Go.")).outcome).toBe("completed");
    expect(argumentsOf(run)[0]).toContain("--dangerously-allow-all");
    await expectSound(run);
  });

  it("is left out when the program does not know the flag: the turn is run once", async () => {
    const run = await open({ permissionMode: "bypass", allowsAll: false });
    expect((await run.turn("Go.")).outcome).toBe("completed");
    const [first, second] = argumentsOf(run);
    expect(first).toContain("--dangerously-allow-all");
    expect(second).not.toContain("--dangerously-allow-all");
    expect(run.text).toBe("I was told: Go.\n");
    await expectSound(run);
  });
});

it("keeps prompts and MCP servers out of the process list", async () => {
  const run = await open({ mcpServers: { one: { command: "node", env: { KEY: "a-secret" } } } });
  await run.turn("Nobody else may read this.");
  const words = argumentsOf(run).flat().join(" ");
  expect(words).toContain("--mcp-config");
  expect(words).not.toContain("a-secret");
  expect(words).not.toContain("Nobody else");
  await expectSound(run);
  expect(readdirSync(join(directory, "state"))).toEqual([]);
});

it("refuses a model it would ignore, before the session is made and when it is changed", async () => {
  await expect(adapter().settle!({ model: "opus" })).rejects.toMatchObject({ code: "unsupported" });
  await expect(open({ model: "opus" })).rejects.toMatchObject({ code: "unsupported" });
  const run = await open();
  expect(() => run.session.send({ type: "configure", model: "opus" })).toThrow(
    /chooses its models by itself/,
  );
  await expectSound(run);
});

it("is given a model where it has a flag for it", async () => {
  const text = readFileSync(join(RECORDINGS, "help", NEWEST), "utf8");
  const help = join(directory, "help-with-model.txt");
  writeFileSync(help, text.replace("\nOptions:\n", "\nOptions:\n\n  --model <value>\n      The model\n"));
  expect(await adapter({ help }).settle!({ model: "opus" })).toEqual({ model: "opus" });
  const run = await open({ help, model: "opus" });
  expect((await run.turn("Go.")).outcome).toBe("completed");
  expect(argumentsOf(run)[0]!.join(" ")).toContain("--model opus");
  await expectSound(run);
});

it("refuses modes it has nothing like", async () => {
  await expect(open({ mode: "turbo" })).rejects.toMatchObject({ code: "unsupported" });
  const run = await open();
  expect(() => run.session.send({ type: "configure", mode: "turbo" })).toThrow(/has no mode/);
  await run.close();
});

describeAdapterContract({
  name: "amp",
  createAdapter: () => adapter(),
  connectOptions: () => ({ cwd: join(directory, "project") }),
  failure: () => ({
    adapter: protocol.createAdapter({
      processHost,
      programs: { find: async () => undefined, install: () => Promise.reject(new Error("no")) },
      directory: () => join(directory, "state"),
      environment: () => ({}),
    }),
  }),
  adapterOptions: {},
  scenarios: {
    answer: { prompt: "[[mar2026_text]]", holds: (run) => run.text.includes("Hello") },
    stream: { prompt: "[[mar2026_tool_bash]]" },
    endless: { prompt: "[[endless]]" },
    permission: {
      prompt: "[[push]]",
      isAllowed: (run) => run.text.includes("There is a README."),
      isDenied: (run) => run.of("turn.ended").at(-1)?.error?.code === "permission_required",
    },
    question: { prompt: "[[mar2026_text]]", answer: () => ({}), holds: () => false },
    slashCommand: { prompt: "/help", holds: () => false },
    image: {
      prompt: "Look.",
      files: [{ type: "file", url: "data:image/png;base64,AAAA", mediaType: "image/png" }],
      holds: () => false,
    },
    memory: {
      told: "The word is kestrel.",
      prompt: "Which word?",
      holds: (run) => run.text.includes("kestrel.\nWhich word?"),
    },
    steering: { running: "[[endless]]", prompt: "this too", holds: () => false },
    model: { model: "other", prompt: "Go.", holds: () => false },
  },
});
