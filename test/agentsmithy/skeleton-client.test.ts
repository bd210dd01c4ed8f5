/** A client that is the skeleton of AgentSmithy's document, word for word. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { SmithyClient, type SmithyJson, SmithyProject } from "./smithy-client.ts";

const SKELETON = readFileSync(join(import.meta.dirname, "../fixtures/agentsmithy/skeleton.js"), "utf8");
const HANDLERS = [
  "handleChatStart",
  "handleChat",
  "handleChatEnd",
  "handleReasoningStart",
  "handleReasoning",
  "handleReasoningEnd",
  "handleToolCall",
  "handleUserMessage",
  "handleFileEdit",
  "handleError",
  "handleDone",
];

let project: SmithyProject;
let daemon: Daemon;
let client: SmithyClient;
/** What the skeleton called, in order. */
let handled: { name: string; data?: SmithyJson }[];
let streamChat: (body: unknown) => Promise<void>;

beforeEach(async () => {
  project = new SmithyProject();
  daemon = await startDaemon({ port: 0, data: project.data, roots: [project.root], checkpoints: "on" });
  client = new SmithyClient(`${daemon.url}/agentsmithy`, daemon.token);
  handled = [];
  const handlers = HANDLERS.map((name) => (data?: SmithyJson) => handled.push({ name, data }));
  streamChat = new Function("fetch", ...HANDLERS, `${SKELETON}\nreturn streamChat;`)(
    client.fetch,
    ...handlers,
  );
});

afterEach(async () => {
  await daemon.close();
  project[Symbol.dispose]();
});

function ask(content: string): Promise<void> {
  return streamChat({ messages: [{ role: "user", content }], stream: true });
}

test("the document's TODO example: restoring the checkpoint of the user's message removes all three files", async () => {
  await ask("scenario:todo");
  const names = handled.map(({ name }) => name).filter((name) => !/Reasoning$|handleChat$/.test(name));
  expect(names).toEqual([
    "handleUserMessage",
    "handleReasoningStart",
    "handleReasoningEnd",
    "handleChatStart",
    "handleChatEnd",
    ...Array.from({ length: 3 }, () => ["handleToolCall", "handleFileEdit"]).flat(),
    "handleDone",
  ]);
  expect(handled[0]?.data).toMatchObject({
    content: "scenario:todo",
    checkpoint: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  const edited = handled.filter(({ name }) => name === "handleFileEdit").map(({ data }) => data?.file);
  expect(edited).toEqual(["main.py", "models.py", "tests.py"].map((name) => join(project.root, name)));
  expect(project.read("main.py")).toContain("Todo");

  const { dialog_id, checkpoint } = handled[0]!.data!;
  const restored = await client.call("POST", `/api/dialogs/${dialog_id}/restore`, {
    checkpoint_id: checkpoint,
  });
  expect(restored.body).toEqual({
    restored_to: checkpoint,
    new_checkpoint: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
  expect(["main.py", "models.py", "tests.py"].map((name) => project.read(name))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(project.read("README.md")).toBe("hello\n");
});

test("a turn that fails, and a summary: handlers get what the document says, and unknown types only with summaries", async () => {
  await ask("scenario:error");
  expect(handled.slice(-2)).toEqual([
    { name: "handleError", data: expect.objectContaining({ error: expect.any(String) }) },
    { name: "handleDone", data: undefined },
  ]);
  handled = [];
  await ask("scenario:compact");
  // The skeleton has no case for summaries: it hands them to handleChat, without content.
  const silent = handled.filter(({ name, data }) => name === "handleChat" && data?.type !== "chat");
  expect(silent.map(({ data }) => data?.type)).toEqual(["summary_start", "summary_end"]);
});
