/** Every example runs, and does what it says: the programs in examples/, and the requests in the HTTP reference. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../src/daemon.ts";
import { httpError, startScriptedModel, text, toolCall } from "../src/testkit/scripted-model/index.ts";
import { until } from "../src/testkit/until.ts";
import { EXAMPLES, runExample } from "./run-example.ts";

const HTTP_REFERENCE = resolve(import.meta.dirname, "../docs/reference/http-api.md");
const run = promisify(execFile);

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "interlingua-examples-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** What a script printed, by its headings. */
function sections(output: string): Map<string, string[]> {
  const parts = output.split(/^== (.*)$/m).slice(1);
  const pairs = parts.flatMap((text, index) =>
    index % 2 === 0 ? [[text, parts[index + 1]!.trim().split("\n")] as const] : [],
  );
  return new Map(pairs);
}

test("curl-walkthrough.sh", { timeout: 180_000 }, async () => {
  const { stdout } = await run(join(EXAMPLES, "curl-walkthrough.sh"), {
    env: { ...process.env, TMPDIR: directory },
  });
  const said = sections(stdout);
  const json = (heading: string, line: number) => JSON.parse(said.get(heading)?.[line] ?? "null");

  expect(json("Start", 0)).toMatchObject({ status: "ok" });
  expect(json("Create a session and send a prompt", 0)).toMatchObject({ id: "demo", status: "idle" });
  expect(json("Create a session and send a prompt", 1)).toMatchObject({ state: "started", seq: 2 });
  expect(json("Answer the permission while nobody watches", 0)).toMatchObject({
    answer: { option: "allow", by: "owner" },
  });
  const left = Number(said.get("Watch, and leave")?.[0]?.replace("left after event ", ""));
  expect(left).toBeGreaterThan(0);
  expect(said.get("Come back with Last-Event-ID")).toEqual([
    `went on with event ${left + 1}`,
    "missed or repeated: 0",
  ]);
  const queue = "Queue, change what waits, interrupt";
  expect(json(queue, 0)).toMatchObject({ message: "stuck", state: "started" });
  expect(json(queue, 1)).toMatchObject({ message: "next", state: "queued" });
  expect(json(queue, 3).queue).toHaveLength(1);
  expect(json(queue, 4)).toEqual({ interrupted: true });
  expect(said.get("How the turns ended")).toEqual([
    "completed",
    "interrupted",
    "completed",
    "interrupted",
    "completed",
  ]);
  expect(json("The newest messages", 0).messages).toMatchObject([
    { id: "waiting", role: "user" },
    { role: "assistant", metadata: { outcome: "completed" } },
  ]);
  expect(said.get("Is what is stored whole?")?.[0]).toMatch(/^the data directory is whole/);
});

test("watch-a-session.ts goes on where it was when the daemon comes back", { timeout: 120_000 }, async () => {
  let daemon = await start(0);
  const port = Number(new URL(daemon.url).port);
  await call(daemon, "POST", "/v1/sessions", { id: "watched", agent: "mock", options: { pace: 0 } });

  const watcher = runExample("watch-a-session.ts", [daemon.url, "watched"], {
    environment: { INTERLINGUA_TOKEN: daemon.token },
  });
  try {
    await call(daemon, "POST", "/v1/sessions/watched/messages", { text: "scenario:echo before" });
    await until(() => watcher.output().includes("[turn completed]"));
    await daemon.close();
    daemon = await start(port);
    await call(daemon, "POST", "/v1/sessions/watched/messages", { text: "scenario:echo after" });
    await until(() => watcher.output().split("[turn completed]").length === 3);
    await call(daemon, "PATCH", "/v1/sessions/watched", { status: "closed" });
    expect(await watcher.exited).toBe(0);
  } finally {
    await watcher.kill();
    await daemon.close();
  }
  expect(watcher.output()).toBe(
    [
      "scenario:echo before",
      "[turn completed]",
      "scenario:echo after",
      "[turn completed]",
      "[session closed]",
      "",
    ].join("\n"),
  );
});

test("unified-client.ts sends a prompt, allows what is asked, and ends with the turn", {
  timeout: 120_000,
}, async () => {
  const daemon = await start(0);
  await call(daemon, "POST", "/v1/sessions", { id: "spoken", agent: "mock", options: { pace: 0 } });
  const environment = { INTERLINGUA_TOKEN: daemon.token };
  try {
    const asked = runExample("unified-client.ts", [daemon.url, "spoken", "scenario:approve"], {
      environment,
    });
    expect(await asked.exited, asked.errors()).toBe(0);
    expect(asked.output()).toMatch(/\[allowed: .+\]\n/);
    expect(asked.output()).toMatch(/\[success\]\n$/);
    // The history comes first: what was answered is not answered again, and what was said is not printed.
    const again = runExample("unified-client.ts", [daemon.url, "spoken", "scenario:text"], { environment });
    expect(await again.exited, again.errors()).toBe(0);
    expect(again.output()).not.toContain("[allowed");
    expect(again.output()).toMatch(/^Hello from the mock agent\./);
    const missing = runExample("unified-client.ts", [daemon.url, "none", "scenario:text"], { environment });
    expect(await missing.exited).toBe(1);
  } finally {
    await daemon.close();
  }
});

test("the requests in the HTTP reference get the answers that stand there", {
  timeout: 120_000,
}, async () => {
  const project = join(directory, "project");
  await mkdir(project);
  const daemon = await startDaemon({
    port: 0,
    data: join(directory, "data"),
    roots: [project],
    checkpoints: "on",
  });
  const headers = { authorization: `Bearer ${daemon.token}`, "content-type": "application/json" };
  const statusOf = async (session: string) => {
    const response = await fetch(`${daemon.url}/v1/sessions/${session}`, { headers });
    return ((await response.json()) as { status: string }).status;
  };
  const wrong: string[] = [];
  try {
    for (const step of readSteps(readFileSync(HTTP_REFERENCE, "utf8"))) {
      if ("until" in step) {
        await until(async () => (await statusOf(step.session)) === step.until);
        continue;
      }
      const { method, path, body, status, answer } = step;
      const leave = new AbortController();
      const response = await fetch(`${daemon.url}${path}`, { method, headers, body, signal: leave.signal });
      const name = `${method} ${path}`;
      if (response.status !== status) wrong.push(`${name}: ${response.status} instead of ${status}`);
      const got =
        step.language === "json"
          ? await response.text()
          : await readLines(response, answer.split("\n").length);
      leave.abort();
      wrong.push(...differences(name, answer, got));
    }
  } finally {
    await daemon.close();
  }
  expect(wrong).toEqual([]);
});

interface Request {
  method: string;
  path: string;
  body?: string;
  status: number;
  /** `json`, or `text` for streams and metrics. */
  language: string;
  answer: string;
}

/** A request with the answer under it, or a comment that says what to wait for: `until demo waiting`. */
function readSteps(document: string): (Request | { session: string; until: string })[] {
  const step = /<!-- until (\S+) (\S+) -->|```http\n(\S+) (\S+)\n([^`]*)```\n\n```(\w+) (\d+)\n(.*?)```/gs;
  return [...document.matchAll(step)].map(
    ([, session, state, method, path, body, language, status, answer]) =>
      session !== undefined && state !== undefined
        ? { session, until: state }
        : {
            method: method!,
            path: path!,
            body: body || undefined,
            status: Number(status),
            language: language!,
            answer: answer!.trim(),
          },
  );
}

/** As many lines as the reference shows; of metrics, those it shows. */
async function readLines(response: Response, count: number): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    if (
      response.headers.get("content-type")?.startsWith("text/event-stream") &&
      text.split("\n").length > count
    )
      break;
  }
  return text;
}

/** What stands in the reference and is not in the answer, or the other way round, by names and kinds of values. */
function differences(name: string, documented: string, got: string): string[] {
  if (documented === "" || documented.startsWith("{")) {
    const answer = got === "" ? undefined : JSON.parse(got);
    // The OpenAPI document is shown in part.
    return compare(
      name,
      documented === "" ? undefined : JSON.parse(documented),
      answer,
      !name.endsWith("openapi.json"),
    );
  }
  const lines = got.split("\n");
  return documented.split("\n").flatMap((line, index) => {
    if (line.startsWith("data: "))
      return compare(
        `${name} line ${index + 1}`,
        JSON.parse(line.slice(6)),
        JSON.parse(lines[index]!.slice(6)),
        true,
      );
    const [word] = line.split(/\d/);
    return lines.some((other) => other.startsWith(word!)) ? [] : [`${name}: no line "${word}"`];
  });
}

function compare(place: string, documented: unknown, got: unknown, isWhole: boolean): string[] {
  if (kindOf(documented) !== kindOf(got))
    return [`${place}: ${kindOf(got)} instead of ${kindOf(documented)}`];
  if (Array.isArray(documented))
    return documented.flatMap((item, index) =>
      compare(`${place}[${index}]`, item, (got as unknown[])[index], isWhole),
    );
  if (typeof documented !== "object" || documented === null) return [];
  const fields = got as Record<string, unknown>;
  const unknown = Object.keys(fields).filter((key) => !(key in documented));
  return [
    ...(isWhole ? unknown.map((key) => `${place}.${key} is not documented`) : []),
    ...Object.entries(documented).flatMap(([key, value]) =>
      compare(`${place}.${key}`, value, fields[key], isWhole),
    ),
  ];
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}

function start(port: number): Promise<Daemon> {
  return startDaemon({ port, data: join(directory, "data"), roots: [directory] });
}

async function call(daemon: Daemon, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${daemon.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${daemon.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
}

test("answer-asks.ts", { timeout: 60_000 }, async () => {
  const answer = async (prompt: string) => {
    const bot = runExample("answer-asks.ts", ["mock", prompt], {
      cwd: directory,
      environment: { INTERLINGUA_DATA: join(directory, "data") },
    });
    expect(await bot.exited, bot.errors()).toBe(0);
    return bot.output();
  };
  const output = await answer("Note what you find");
  expect(output).toContain("allowed: Write interlingua-demo.md");
  expect(output).toContain("## Done");
  expect(await answer("scenario:approve")).toContain("refused: Run npm test");
});

test("invite-somebody.ts", { timeout: 60_000 }, async () => {
  const example = runExample("invite-somebody.ts", ["mock", "scenario:echo Hello, guest"], {
    cwd: directory,
  });
  expect(await example.exited, example.errors()).toBe(0);
  expect(example.output().split("\n")).toEqual([
    "The link works on this machine only.",
    "Anna is in as observer",
    "scenario:echo Hello, guest",
    "Anna is out",
    "owner: invitation.revoke",
    "Anna: invitation.redeem",
    "owner: invitation.create",
    "",
  ]);
});

test("local-model.ts", { timeout: 60_000 }, async () => {
  const model = await startScriptedModel({
    scripts: {
      work: [
        [toolCall("write_to_file", { path: "note.txt", content: "A note.\n" })],
        [toolCall("run_command", { command: "cat note.txt > copy.txt" })],
        [text("Written and copied.")],
      ],
      fail: [httpError(404, { message: "no such model" })],
    },
  });
  try {
    const play = async (prompt: string, input: string) => {
      const example = runExample("local-model.ts", [model.url, "qwen3-coder", prompt], { cwd: directory });
      example.process.stdin.end(input);
      return { code: await example.exited, output: example.output(), errors: example.errors() };
    };
    const worked = await play("Take a note [[work]]", "yes\n");
    expect(worked.code, worked.errors).toBe(0);
    expect(worked.output).toContain(`created ${join(await realpath(directory), "note.txt")}]`);
    expect(worked.output).toContain("Written and copied.\n[done]");
    expect(worked.errors).toContain("Allow cat note.txt > copy.txt?");
    expect(readFileSync(join(directory, "copy.txt"), "utf8")).toBe("A note.\n");
    expect(model.requests[0]).toMatchObject({ api: "openai-chat", body: { model: "qwen3-coder" } });

    const failed = await play("Take a note [[fail]]", "");
    expect(failed.code).toBe(1);
    expect(failed.errors).toContain('does not know the model "qwen3-coder"');
  } finally {
    await model.close();
  }
});

test("native-messages.ts", async () => {
  const lines = readFileSync(resolve(import.meta.dirname, "fixtures/native/claude-two-tools.jsonl"));
  const example = runExample("native-messages.ts", ["claude", join(directory, "messages.json")]);
  example.process.stdin.end(lines);
  expect(await example.exited, example.errors()).toBe(0);
  const stdout = example.output();
  expect(stdout).toContain('data: {"type":"text-delta"');
  expect(stdout.endsWith("data: [DONE]\n\n")).toBe(true);
  const stored = JSON.parse(readFileSync(join(directory, "messages.json"), "utf8"));
  expect(stored).toMatchObject({
    agentSessionId: "session_456",
    messages: [{ role: "assistant" }],
    metadata: { turns: 1, outcome: "completed" },
  });
});
