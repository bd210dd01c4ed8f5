/** Lines that no recording has: shaped as the types of the SDK say. */
import { describe, expect, it } from "vitest";
import { Conversation } from "../conversation.test-support.ts";

const hear = (line: object) => new Conversation().hear(line);
const system = (subtype: string, fields: object) => hear({ type: "system", subtype, ...fields });

describe("a line that is rarely seen", () => {
  it("tells how a sign-in goes", () => {
    const status = { type: "auth_status", isAuthenticating: true, output: ["Open", "the page"] };
    expect(hear(status)).toEqual([{ type: "auth.status", state: "pending", text: "Open\nthe page" }]);
    expect(hear({ ...status, isAuthenticating: false, output: [] })).toEqual([
      { type: "auth.status", state: "ok" },
    ]);
    expect(hear({ ...status, error: "refused" })).toEqual([
      { type: "auth.status", state: "failed", text: "refused" },
    ]);
  });

  it("sums up calls", () => {
    const line = { type: "tool_use_summary", summary: "Read two files", preceding_tool_use_ids: ["a", "b"] };
    expect(hear(line)).toEqual([{ type: "tool.summary", calls: ["a", "b"], text: "Read two files" }]);
  });

  it("warns of a limit of the account, and is silent while there is room", () => {
    const limit = (status: string) =>
      hear({
        type: "rate_limit_event",
        rate_limit_info: { status, resetsAt: 9, rateLimitType: "five_hour" },
      });
    expect(limit("allowed")).toEqual([]);
    expect(limit("allowed_warning")).toMatchObject([
      { type: "notice", level: "warning", code: "rate-limit" },
    ]);
    expect(limit("rejected")).toMatchObject([{ level: "error", data: { resetsAt: 9, limit: "five_hour" } }]);
  });

  it("tells that the commands have changed, and what one of them has said", () => {
    const commands = [{ name: "fix", description: "Fix it", argumentHint: "WHAT" }];
    expect(system("commands_changed", { commands })).toEqual([
      { type: "session.updated", commands: [{ name: "fix", description: "Fix it", hint: "WHAT" }] },
    ]);
    expect(system("local_command_output", { content: "Nothing to do" })).toMatchObject([
      { type: "notice", level: "info", text: "Nothing to do" },
    ]);
  });

  it("warns of what went wrong beside the conversation", () => {
    expect(system("hook_response", { hook_name: "fmt", outcome: "error", stderr: "no fmt\n" })).toMatchObject(
      [{ level: "warning", code: "hook", text: "The hook fmt failed: no fmt" }],
    );
    expect(system("hook_response", { hook_name: "fmt", outcome: "success" })).toEqual([]);
    expect(system("plugin_install", { name: "p", status: "failed", error: "404" })).toMatchObject([
      { text: "The plugin p could not be installed: 404" },
    ]);
    expect(system("plugin_install", { name: "p", status: "completed" })).toEqual([]);
    expect(system("session_writes_lost", { error_code: "ENOSPC", lost: [] })).toMatchObject([
      { level: "warning", text: expect.stringContaining("ENOSPC") },
    ]);
    const models = { original_model: "opus", fallback_model: "sonnet" };
    expect(system("model_refusal_fallback", models)).toMatchObject([
      { code: "model", text: "Claude Code answers with sonnet in place of opus." },
    ]);
  });

  it.each(["prompt_suggestion", "active_goal", "keep_alive"])("means nothing here: %s", (type) => {
    expect(hear({ type })).toEqual([]);
  });
});
