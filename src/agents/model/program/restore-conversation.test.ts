import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ContentPart } from "../../../core/message.ts";
import type { PastConversation } from "../history.ts";
import { restoreConversation } from "./restore-conversation.ts";
import { createResultStore } from "./tools/result-store.ts";

const directory = mkdtempSync(join(tmpdir(), "interlingua-restore-test-"));
afterAll(() => rmSync(directory, { recursive: true }));

async function restore(past: PastConversation) {
  const path = join(directory, "history.json");
  writeFileSync(path, JSON.stringify(past));
  const results = createResultStore({ directory: join(directory, "results") });
  return { ...(await restoreConversation(path, results)), results };
}

const said = (id: string, ...content: ContentPart[]) => ({ id, role: "user" as const, content });
const answered = (id: string, content: ContentPart[], outcome = "completed", error?: string) => ({
  id,
  role: "assistant" as const,
  content,
  outcome,
  error,
});
const call = (id: string, name: string, input: unknown): ContentPart => ({
  type: "tool_call",
  call: id,
  name,
  input,
});
const result = (id: string, output: unknown): ContentPart => ({
  type: "tool_result",
  call: id,
  state: "done",
  output,
});

describe("from the log", () => {
  it("a call that broke off before its input was whole is none, as it was for the model", async () => {
    const { conversation } = await restore({
      isCut: false,
      messages: [
        answered(
          "m1",
          [
            { type: "text", text: "I run it." },
            { type: "tool_call", call: "c1", name: "run_command" },
            { type: "tool_result", call: "c1", state: "abandoned", error: "the turn was stopped" },
          ],
          "interrupted",
        ),
      ],
    });
    expect(conversation.messages).toMatchObject([
      { role: "assistant", content: [{ type: "text", text: "I run it." }] },
      { role: "user" },
    ]);
  });

  it("calls and their results come back as such, step by step", async () => {
    const { conversation } = await restore({
      isCut: false,
      messages: [
        said("u1", { type: "text", text: "Do it" }),
        answered("m1", [
          { type: "text", text: "I look." },
          call("c1", "read_file", { path: "a" }),
          call("c2", "read_file", { path: "b" }),
          result("c1", { type: "read_file_result", content: "A" }),
          {
            type: "tool_result",
            call: "c2",
            state: "failed",
            error: "gone",
            output: { type: "read_file_error" },
          },
          { type: "text", text: "One is missing." },
        ]),
      ],
    });
    expect(conversation.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Do it" }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool-call", toolCallId: "c1", toolName: "read_file", input: { path: "a" } },
          { type: "tool-call", toolCallId: "c2", toolName: "read_file", input: { path: "b" } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "read_file",
            output: { type: "json", value: { type: "read_file_result", content: "A" } },
          },
          {
            type: "tool-result",
            toolCallId: "c2",
            toolName: "read_file",
            output: { type: "error-json", value: { type: "read_file_error" } },
          },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "One is missing." }] },
    ]);
  });

  it("a call without a result, a denied one and a stopped turn are told as what they are", async () => {
    const { conversation } = await restore({
      isCut: true,
      messages: [
        answered(
          "m1",
          [
            call("c1", "run_command", { command: "a" }),
            call("c2", "run_command", { command: "b" }),
            { type: "tool_result", call: "c2", state: "denied", error: "not now" },
          ],
          "interrupted",
        ),
      ],
    });
    const [cut, , tool, stopped] = conversation.messages;
    expect(cut).toMatchObject({ role: "user", content: expect.stringContaining("left out") });
    expect(tool?.content).toMatchObject([
      { output: { type: "error-text", value: "It was interrupted." } },
      { output: { type: "execution-denied", reason: "not now" } },
    ]);
    expect(stopped).toMatchObject({ role: "user", content: expect.stringContaining("stopped by the user") });
  });

  it("steps without a word between them stay steps", async () => {
    const { conversation } = await restore({
      isCut: false,
      messages: [
        answered("m1", [
          call("c1", "read_file", { path: "a" }),
          result("c1", "A"),
          call("c2", "read_file", { path: "b" }),
          call("c3", "read_file", { path: "c" }),
          result("c3", "C"),
          result("c2", "B"),
        ]),
      ],
    });
    const ids = conversation.messages.map(({ role, content }) => [
      role,
      ...(content as { toolCallId: string }[]).map(({ toolCallId }) => toolCallId),
    ]);
    expect(ids).toEqual([
      ["assistant", "c1"],
      ["tool", "c1"],
      ["assistant", "c2", "c3"],
      ["tool", "c2", "c3"],
    ]);
  });

  it("a turn that a restart cut is not said to be stopped by the user", async () => {
    const { conversation } = await restore({
      isCut: false,
      messages: [answered("m1", [{ type: "text", text: "I" }], "interrupted", "daemon_restarted")],
    });
    expect(conversation.messages.at(-1)?.content).toBe("[The turn was interrupted by a restart.]");
  });

  it("a command of the agent is no prompt", async () => {
    const { conversation } = await restore({
      isCut: false,
      messages: [said("u1", { type: "text", text: "/compact" }), answered("m1", [])],
    });
    expect(conversation.messages).toEqual([]);
  });

  it("input that was no JSON comes back as an object, which providers insist on", async () => {
    const { conversation } = await restore({
      isCut: false,
      messages: [answered("m1", [call("c1", "read_file", '{"path": ')])],
    });
    expect(conversation.messages[0]?.content).toMatchObject([{ type: "tool-call", input: {} }]);
  });

  it("results that did not fit are left out again, and earlier ones stay", async () => {
    const { conversation } = await restore({
      isCut: false,
      messages: [
        said("u1", { type: "text", text: "Do it" }),
        answered(
          "m1",
          [call("c1", "read_file", {}), result("c1", "A"), call("c2", "read_file", {}), result("c2", "B")],
          "failed",
          "context_full",
        ),
      ],
    });
    const outputs = conversation.messages.flatMap(({ role, content }) =>
      role === "tool" ? content.map((part) => part.type === "tool-result" && part.output) : [],
    );
    expect(outputs).toMatchObject([
      { value: "A" },
      { type: "error-text", value: expect.stringContaining("left out") },
    ]);
    expect(JSON.stringify(conversation.messages)).toContain("Do it");
  });

  it("pictures stay, and a long result can still be read in pages", async () => {
    const long = "x".repeat(50_000);
    const { conversation, results } = await restore({
      isCut: false,
      messages: [
        said("u1", { type: "file", url: "data:image/png;base64,AAAA", mediaType: "image/png" }),
        answered("m1", [
          call("c1", "read_file", {}),
          result("c1", { type: "read_file_result", content: long }),
        ]),
      ],
    });
    const [picture, , tool] = conversation.messages;
    expect(picture?.content).toMatchObject([{ type: "file", data: "AAAA", mediaType: "image/png" }]);
    expect(JSON.stringify(tool).length).toBeLessThan(5000);
    expect((await results.get("c1"))?.result).toContain(long);
  });

  it("what was allowed for good is allowed again", async () => {
    const ask = (option: string, input?: unknown): ContentPart => ({
      type: "ask",
      ask: "a1",
      kind: "permission",
      title: "npm test",
      options: [
        { id: "allow", label: "", effect: "once" },
        { id: "allow-always", label: "", effect: "always", covers: ["run_command: npm test"] },
      ],
      state: "closed",
      answer: { option, effect: option === "allow" ? "once" : "always", by: "somebody", input },
    });
    const rulesOf = async (part: ContentPart) =>
      (await restore({ isCut: false, messages: [answered("m1", [part])] })).rules;
    expect(await rulesOf(ask("allow"))).toEqual([]);
    expect(await rulesOf(ask("allow-always"))).toEqual(["run_command: npm test"]);
    // What the person changed was allowed once.
    expect(await rulesOf(ask("allow-always", { command: "npm run other" }))).toEqual([]);
  });
});
