/** The requests that AgentSmithy's VS Code extension makes, as it makes them, and what it reads in the answers. */
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonClient } from "../daemon-client.ts";
import { OwnerView, SmithyClient, SmithyProject, typesOf } from "./smithy-client.ts";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const COMMIT = /^[0-9a-f]{40}$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

let project: SmithyProject;
let daemon: Daemon;
let client: SmithyClient;

async function start(): Promise<void> {
  daemon = await startDaemon({ port: 0, data: project.data, roots: [project.root], checkpoints: "on" });
  client = new SmithyClient(`${daemon.url}/agentsmithy`, daemon.token);
}

beforeEach(async () => {
  project = new SmithyProject();
  await start();
});

afterEach(async () => {
  await daemon.close();
  project[Symbol.dispose]();
});

test("a day of the extension: every request gets the documented shape", async () => {
  expect((await client.call("GET", "/health")).body).toEqual({
    status: "ok",
    service: "agentsmithy-server",
    server_status: "ready",
    port: Number(new URL(daemon.url).port),
    pid: process.pid,
    server_error: null,
    config_valid: true,
    config_errors: [],
  });
  expect((await client.call("GET", "/api/dialogs/current")).body).toEqual({});
  expect((await client.call("GET", "/api/dialogs")).body).toEqual({ dialogs: [] });

  const created = await client.call("POST", "/api/dialogs", {});
  expect(created).toMatchObject({ status: 200, body: { id: expect.stringMatching(ULID) } });
  expect(created.headers.get("x-request-id")).toBe("agentsmithy");
  const { id } = created.body;
  const other = (await client.call("POST", "/api/dialogs", { title: "Second", set_current: false })).body.id;
  expect((await client.call("GET", "/api/dialogs/current")).body).toEqual({
    id,
    meta: { id, created_at: expect.stringMatching(TIME), updated_at: expect.stringMatching(TIME) },
  });

  const response = await client.post({
    messages: [{ role: "user", content: "scenario:todo" }],
    context: {
      current_file: {
        path: join(project.root, "README.md"),
        language: "markdown",
        content: "hello\n",
        selection: "",
      },
    },
    stream: true,
    dialog_id: id,
    workload: "default",
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("x-request-id")).toBe("agentsmithy");
  const text = await response.text();
  for (const frame of text.split("\n\n").slice(0, -1))
    expect(frame).toMatch(/^data: \{[^\n]*"dialog_id":"[^"]{26}"\}$/);
  expect(text.endsWith("\n\n")).toBe(true);

  const session = (await client.call("GET", `/api/dialogs/${id}/session`)).body;
  expect(session).toEqual({
    active_session: "session_1",
    session_ref: "refs/heads/session_1",
    has_unapproved: true,
    changed_files: ["main.py", "models.py", "tests.py"].map((path) => ({
      path,
      status: "added",
      additions: 3,
      deletions: 0,
      diff: expect.stringContaining("@@"),
      is_binary: false,
      is_too_large: false,
    })),
  });

  const history = (await client.call("GET", `/api/dialogs/${id}/history?limit=20`)).body;
  expect(typesOf(history.events)).toEqual([
    "user",
    "reasoning",
    "chat",
    ...Array(3).fill(["tool_call", "file_edit"]).flat(),
  ]);
  expect(history).toMatchObject({ dialog_id: id, total_events: 9, has_more: false });
  expect(history.first_idx).toBe(history.events[0].idx);
  expect(history.last_idx).toBe(history.events[2].idx);
  expect(history.events[0]).toEqual({
    type: "user",
    content: "scenario:todo",
    checkpoint: expect.stringMatching(COMMIT),
    idx: expect.any(Number),
  });
  expect(history.events[3]).toEqual({
    type: "tool_call",
    id: expect.any(String),
    name: "write_to_file",
    args: { path: "main.py", content: project.read("main.py") },
  });
  expect(history.events[4]).toEqual({
    type: "file_edit",
    file: join(project.root, "main.py"),
    diff: expect.stringMatching(`^--- a/${project.root}/main.py\n\\+\\+\\+ b/${project.root}/main.py\n@@`),
  });

  // The extension sends no body here.
  const approved = await client.call("POST", `/api/dialogs/${id}/approve`);
  expect(approved.body).toEqual({
    approved_commit: expect.stringMatching(COMMIT),
    new_session: "session_2",
    commits_approved: 3,
  });
  expect((await client.call("GET", `/api/dialogs/${id}/session`)).body).toEqual({
    has_unapproved: false,
    last_approved_at: expect.stringMatching(TIME),
    changed_files: [],
  });

  await client.say("scenario:files", { dialog_id: id });
  const changed = (await client.call("GET", `/api/dialogs/${id}/session`)).body;
  expect(changed).toMatchObject({ active_session: "session_2", has_unapproved: true });
  const reset = await client.call("POST", `/api/dialogs/${id}/reset`);
  expect(reset.body).toEqual({
    reset_to: approved.body.approved_commit,
    new_session: "session_2",
    pre_reset_checkpoint: expect.stringMatching(COMMIT),
  });
  expect(project.read("mock-written.txt")).toBeUndefined();
  expect(project.read("main.py")).toBeDefined();

  expect((await client.call("PATCH", `/api/dialogs/${id}`, { title: "TODO app" })).body).toEqual({
    ok: true,
  });
  expect((await client.call("PATCH", `/api/dialogs/current?id=${other}`)).body).toEqual({ ok: true });
  expect((await client.call("GET", "/api/dialogs")).body).toMatchObject({
    current_dialog_id: other,
    dialogs: [
      { id, title: "TODO app" },
      { id: other, title: "Second" },
    ],
  });
  expect((await client.call("DELETE", `/api/dialogs/${other}`)).body).toEqual({ ok: true });
  expect((await client.call("GET", "/api/dialogs/current")).body).toEqual({});
  const gone = await client.call("GET", `/api/dialogs/${other}`);
  expect(gone).toMatchObject({ status: 404, body: { detail: expect.stringContaining(other) } });
});

test("the config shows the models and no keys, and only the model can be changed", async () => {
  const { config, metadata } = (await client.call("GET", "/api/config")).body;
  expect(Object.keys(config)).toEqual(["providers", "workloads", "models"]);
  expect(Object.keys(config.models)).toEqual(["agents", "embeddings", "summarization"]);
  expect(Object.keys(metadata).sort()).toEqual([
    "agent_provider_slots",
    "model_catalog",
    "provider_types",
    "providers",
    "workload_kinds",
    "workloads",
  ]);
  const chats = metadata.workloads.filter(({ kind }: { kind: string }) => kind === "chat");
  const workload = chats.at(-1).name;
  const picked = await client.call("PUT", "/api/config", {
    config: { models: { agents: { universal: { workload } } } },
  });
  expect(picked).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } });
  expect(picked.body.config.models.agents.universal).toEqual({ workload });
  // As a client does that sends back all it got.
  expect((await client.call("PUT", "/api/config", { config: picked.body.config })).status).toBe(200);

  for (const patch of [
    { providers: { mock: { api_key: "secret" } } },
    { models: { agents: { universal: { workload: null } } } },
    { workloads: { [workload]: null } },
    { models: { agents: { universal: { workload: "no such model" } } } },
  ]) {
    const refused = await client.call("PUT", "/api/config", { config: patch });
    expect(refused).toMatchObject({
      status: 400,
      body: { detail: { message: expect.any(String), errors: [expect.any(String)] } },
    });
  }
  const renamed = await client.call("POST", "/api/config/rename", {
    type: "workload",
    old_name: "a",
    new_name: "b",
  });
  expect(renamed).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
});

test("a config of many long names is refused in a few words, and the daemon lives", async () => {
  const long = "k".repeat(900_000);
  const patches = [
    { [long]: Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`${at}`, 1])) },
    Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`${at}${"k".repeat(200)}`, {}])),
    JSON.parse(`${'{"a":'.repeat(190)}1${"}".repeat(190)}`),
    { providers: { new: {} } },
    { models: { agents: { universal: { workload: long } } } },
  ];
  for (const config of patches) {
    const refused = await client.call("PUT", "/api/config", { config });
    expect(refused).toMatchObject({ status: 400, body: { detail: { message: expect.any(String) } } });
    expect(JSON.stringify(refused.body).length).toBeLessThan(10_000);
  }
  for (const body of [{ config: [] }, { config: null }, {}, [], "x"])
    expect((await client.call("PUT", "/api/config", body)).status).toBe(400);
  expect((await client.call("GET", "/health")).body.server_status).toBe("ready");
});

test("the agent's own choice of a model cannot be picked again once a model was", async () => {
  const pick = (workload: string) =>
    client.call("PUT", "/api/config", { config: { models: { agents: { universal: { workload } } } } });
  expect((await pick("default")).status).toBe(200);
  const { metadata } = (await client.call("GET", "/api/config")).body;
  const model = metadata.workloads.at(-1).name;
  expect((await pick(model)).status).toBe(200);
  expect(await pick("default")).toMatchObject({
    status: 400,
    body: { detail: { message: expect.stringContaining("has a model") } },
  });
  const after = (await client.call("GET", "/api/config")).body;
  expect(after.metadata.workloads.map(({ name }: { name: string }) => name)).not.toContain("default");
});

test("a permission that waits in one dialog blocks no approval, and restores of another until it is answered", async () => {
  const work = (await client.call("POST", "/api/dialogs", {})).body.id;
  const { events } = await client.say("scenario:todo", { dialog_id: work });
  const checkpoint = events[0]!.checkpoint;
  const waiting = (await client.call("POST", "/api/dialogs", {})).body.id;
  await client.say("scenario:approve", { dialog_id: waiting });
  const act = (dialog: string, name: string, body?: object) =>
    client.call("POST", `/api/dialogs/${dialog}/${name}`, body);
  expect((await act(waiting, "approve")).status).toBe(200);
  const refused = { status: 409, body: { detail: expect.stringContaining("waits for an answer") } };
  const own = (await client.call("GET", `/api/dialogs/${waiting}/checkpoints`)).body.initial_checkpoint;
  expect(await act(waiting, "restore", { checkpoint_id: own })).toMatchObject(refused);
  expect(await act(work, "restore", { checkpoint_id: checkpoint })).toMatchObject(refused);
  expect(await act(work, "reset")).toMatchObject(refused);
  for (const dialog of [work, waiting])
    expect((await act(dialog, "restore", { checkpoint_id: "0".repeat(40) })).status).toBe(404);
  expect(project.read("main.py")).toBeDefined();
  const owner = new OwnerView(daemon);
  await owner.reply("allow");
  await until(async () => (await owner.sessions()).every(({ status }) => status === "idle"));
  expect((await act(work, "reset")).status).toBe(200);
  expect(project.read("main.py")).toBeUndefined();
  expect((await act(work, "approve")).status).toBe(200);
  const { changed_files } = (await client.call("GET", `/api/dialogs/${waiting}/session`)).body;
  expect(changed_files).toEqual([]);
});

test("a dialog in which nothing was done can be reset, as it can be approved", async () => {
  const { id } = (await client.call("POST", "/api/dialogs", {})).body;
  const reset = await client.call("POST", `/api/dialogs/${id}/reset`);
  expect(reset).toMatchObject({ status: 200, body: { reset_to: expect.stringMatching(COMMIT) } });
  expect(reset.body.new_session).toBe("session_1");
});

test("checkpoints of a restore are called so, and are no commits that an approval counts", async () => {
  const { events } = await client.say("scenario:todo");
  const { dialog_id, checkpoint } = events[0]!;
  await client.call("POST", `/api/dialogs/${dialog_id}/restore`, { checkpoint_id: checkpoint });
  const { checkpoints } = (await client.call("GET", `/api/dialogs/${dialog_id}/checkpoints`)).body;
  expect(checkpoints.map(({ message }: { message: string }) => message)).toEqual([
    "Initial checkpoint",
    "Before user message",
    "After the agent's turn",
    "Before restore",
    "After restore",
  ]);
  const approved = await client.call("POST", `/api/dialogs/${dialog_id}/approve`);
  expect(approved.body.commits_approved).toBe(3);
});

test("what was there before is shown up to one megabyte", async () => {
  const half = "a line of text\n".repeat(40_000);
  project.write("mock-by-shell.txt", half);
  project.write("mock-written.txt", "a line of text\n".repeat(80_000));
  const { events } = await client.say("scenario:files");
  const path = `/api/dialogs/${events[0]!.dialog_id}/session`;
  const { changed_files } = (await client.call("GET", path)).body;
  expect(changed_files).toMatchObject([
    { path: "mock-by-shell.txt", status: "modified", base_content: half },
    { path: "mock-written.txt", status: "modified", is_too_large: true },
  ]);
  expect(changed_files[1]).not.toHaveProperty("base_content");
});

test("ids, the current dialog and the history are the same after a restart", async () => {
  await client.say("scenario:text");
  const before = await Promise.all(
    ["/api/dialogs", "/api/dialogs/current"].map((path) => client.call("GET", path)),
  );
  const { id } = before[1]!.body;
  const history = (await client.call("GET", `/api/dialogs/${id}/history`)).body;
  await daemon.close();
  await start();
  const after = await Promise.all(
    ["/api/dialogs", "/api/dialogs/current"].map((path) => client.call("GET", path)),
  );
  expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
  expect((await client.call("GET", `/api/dialogs/${id}/history`)).body).toEqual(history);
});

test("tool results are found by the ids of the history", async () => {
  await client.say("scenario:todo");
  const { id } = (await client.call("GET", "/api/dialogs/current")).body;
  const { events } = (await client.call("GET", `/api/dialogs/${id}/history`)).body;
  const calls = events.filter(({ type }: { type: string }) => type === "tool_call");
  const listed = (await client.call("GET", `/api/dialogs/${id}/tool-results`)).body;
  expect(listed.map((one: { tool_call_id: string }) => one.tool_call_id)).toEqual(
    calls.map((call: { id: string }) => call.id),
  );
  expect(listed[0]).toEqual({
    tool_call_id: calls[0].id,
    tool_name: "write_to_file",
    timestamp: expect.stringMatching(TIME),
    size_bytes: expect.any(Number),
    summary: '{"type":"write_file_result","path":"main.py"}',
  });
  expect((await client.call("GET", `/api/dialogs/${id}/tool-results/${calls[0].id}`)).body).toEqual({
    tool_call_id: calls[0].id,
    tool_name: "write_to_file",
    args: calls[0].args,
    result: { type: "write_file_result", path: "main.py" },
    timestamp: listed[0].timestamp,
    metadata: { size_bytes: listed[0].size_bytes, summary: listed[0].summary },
  });
  expect(await client.call("GET", `/api/dialogs/${id}/tool-results/nope`)).toMatchObject({
    status: 404,
    body: { detail: "Tool result not found: nope" },
  });
});

test("a restore that conflicts keeps what the user wrote, and says so", async () => {
  const { events } = await client.say("scenario:todo");
  const { dialog_id, checkpoint } = events[0]!;
  project.write("main.py", "# mine\n");
  const restored = await client.call("POST", `/api/dialogs/${dialog_id}/restore`, {
    checkpoint_id: checkpoint,
  });
  expect(restored).toMatchObject({
    status: 200,
    body: { restored_to: checkpoint, detail: expect.stringContaining("main.py") },
  });
  expect(project.read("main.py")).toBe("# mine\n");
  expect(project.read("models.py")).toBeUndefined();
  const unknown = await client.call("POST", `/api/dialogs/${dialog_id}/restore`, {
    checkpoint_id: "0".repeat(40),
  });
  expect(unknown).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
  const checkpoints = (await client.call("GET", `/api/dialogs/${dialog_id}/checkpoints`)).body;
  expect(checkpoints).toMatchObject({ dialog_id, initial_checkpoint: checkpoints.checkpoints[0].commit_id });
  expect(checkpoints.checkpoints).toContainEqual({ commit_id: checkpoint, message: "Before user message" });
});

test("a long history comes in pages that fit together, also after it was counted once", async () => {
  for (let turn = 0; turn < 3; turn += 1) {
    await client.say("scenario:rich");
    const { id } = (await client.call("GET", "/api/dialogs/current")).body;
    const { events, total_events } = (await client.call("GET", `/api/dialogs/${id}/history?limit=500`)).body;
    expect(events.length).toBe(total_events);
  }
  const { id } = (await client.call("GET", "/api/dialogs/current")).body;
  const whole = (await client.call("GET", `/api/dialogs/${id}/history?limit=500`)).body;
  const pages: unknown[][] = [];
  let before = "";
  for (;;) {
    const page = (await client.call("GET", `/api/dialogs/${id}/history?limit=2${before}`)).body;
    expect(page.total_events).toBe(whole.total_events);
    pages.unshift(page.events);
    if (!page.has_more) break;
    before = `&before=${page.first_idx}`;
  }
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flat()).toEqual(whole.events);
  expect(whole.events.length).toBe(whole.total_events);
});

test("sessions of every make are dialogs: those of the API, and forks", async () => {
  const owner = new DaemonClient(daemon);
  const { id } = await owner.call<{ id: string }>("POST", "/v1/sessions", {
    agent: "mock",
    title: "Made elsewhere",
  });
  await owner.call("POST", `/v1/sessions/${id}/fork`, {});
  const { dialogs } = (await client.call("GET", "/api/dialogs?sort=created_at&order=asc")).body;
  expect(dialogs).toHaveLength(2);
  for (const dialog of dialogs)
    expect((await client.call("GET", `/api/dialogs/${dialog.id}`)).body).toEqual(dialog);
  expect((await client.call("GET", "/api/dialogs?limit=1&offset=1")).body.dialogs).toHaveLength(1);
});
