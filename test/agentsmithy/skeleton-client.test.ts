/** A client that is the skeleton of AgentSmithy's document, word for word. */
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { askSkeleton, type Handled } from "./skeleton.ts";
import { SmithyClient, SmithyProject } from "./smithy-client.ts";

let project: SmithyProject;
let daemon: Daemon;
let client: SmithyClient;
/** What the skeleton called, in order. */
let handled: Handled[];

beforeEach(async () => {
  project = new SmithyProject();
  daemon = await startDaemon({ port: 0, data: project.data, roots: [project.root], checkpoints: "on" });
  client = new SmithyClient(`${daemon.url}/agentsmithy`, daemon.token);
});

afterEach(async () => {
  await daemon.close();
  project[Symbol.dispose]();
});

async function ask(content: string): Promise<void> {
  handled = await askSkeleton(client, content);
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
  await ask("scenario:compact");
  // The skeleton has no case for summaries: it hands them to handleChat, without content.
  const silent = handled.filter(({ name, data }) => name === "handleChat" && data?.type !== "chat");
  expect(silent.map(({ data }) => data?.type)).toEqual(["summary_start", "summary_end"]);
});
