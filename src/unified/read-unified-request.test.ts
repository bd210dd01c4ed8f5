import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commandSchema } from "../core/command.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import { createUnifiedMessage } from "./create-unified-message.ts";
import { isUnifiedMessage } from "./is-unified-message.ts";
import { promptBlocks } from "./outbound/content-blocks.ts";
import { readUnifiedRequest } from "./read-unified-request.ts";
import { toCommand } from "./to-command.ts";
import type { UnifiedContent, UnifiedMessageType } from "./unified-message.ts";

const TEXT: UnifiedContent = { type: "text", text: "Tidy up" };

function read(
  type: UnifiedMessageType,
  metadata: Record<string, unknown> = {},
  content: UnifiedContent[] = [],
) {
  return readUnifiedRequest(createUnifiedMessage({ type, role: "user", metadata, content }));
}

const ASK = {
  native: "n1",
  editable: true as const,
  options: [
    { id: "yes", label: "Yes", effect: "once" as const },
    { id: "ever", label: "Always", effect: "always" as const },
    { id: "no", label: "No", effect: "reject" as const },
  ],
};

describe("user_message", () => {
  test("is a prompt with the message's own id", () => {
    const message = createUnifiedMessage({ type: "user_message", role: "user", content: [TEXT] });
    const request = readUnifiedRequest(message);
    expect(request).toEqual({ type: "prompt", message: message.id, parts: [TEXT] });
    expect(toCommand(request)).toEqual({ type: "prompt", message: message.id, parts: [TEXT] });
  });

  test("an id that ours cannot be like becomes one that follows from it", () => {
    const message = {
      ...createUnifiedMessage({ type: "user_message", role: "user", content: [TEXT] }),
      id: "a b",
    };
    const first = readUnifiedRequest(message);
    expect(first).toEqual(readUnifiedRequest(message));
    expect(commandSchema.safeParse(toCommand(first)).success).toBe(true);
  });

  test("can steer, and has settings", () => {
    const request = read("user_message", { when_busy: "steer", settings: { effort: "high" } }, [TEXT]);
    expect(request).toMatchObject({ whenBusy: "steer", settings: { effort: "high" } });
    expect(toCommand(request)).toMatchObject({ steer: true });
  });

  test("code without a path is text in a fence that it does not end", () => {
    const code = { type: "code", language: "md", code: "```\nx\n```" } as const;
    expect(read("user_message", {}, [code])).toMatchObject({
      parts: [{ type: "text", text: "````md\n```\nx\n```\n````" }],
    });
  });

  const part: fc.Arbitrary<PromptPart> = fc.oneof(
    fc.string().map((text): PromptPart => ({ type: "text", text })),
    fc
      .record({ data: fc.base64String(), filename: fc.option(fc.string(), { nil: undefined }) })
      .map(({ data, filename }): PromptPart => {
        const file = { type: "file", url: `data:image/png;base64,${data}`, mediaType: "image/png" } as const;
        return filename === undefined ? file : { ...file, filename };
      }),
    fc.constant<PromptPart>({ type: "file", url: "file:///a.pdf", mediaType: "application/pdf" }),
    fc.constant<PromptPart>({ type: "context", path: "/a.ts", language: "ts", content: "1", selection: "1" }),
    fc.constant<PromptPart>({ type: "context", path: "/b.ts" }),
  );

  test("what a prompt said comes back as it was", () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), (parts) => {
        const { content, attachments } = promptBlocks(parts);
        const request = read("user_message", { attachments }, content);
        // Files and contexts without a block come last.
        const isBlock = ({ type, ...rest }: PromptPart) =>
          type === "text" || "content" in rest || ("url" in rest && rest.url.startsWith("data:"));
        const expected = [...parts.filter(isBlock), ...parts.filter((each) => !isBlock(each))];
        expect(request).toMatchObject({ type: "prompt" });
        expect(request.type === "prompt" && request.parts).toEqual(expected);
      }),
    );
  });
});

describe("permission_response", () => {
  test.each([
    [{ behavior: "allow" }, { option: "yes", effect: "once" }],
    [{ behavior: "always" }, { option: "ever", effect: "always" }],
    [
      { behavior: "deny", message: "No!" },
      { option: "no", effect: "reject", message: "No!" },
    ],
    [{ option: "ever" }, { option: "ever", effect: "always" }],
    [
      { behavior: "allow", updatedInput: { command: "ls -a" } },
      { option: "yes", effect: "once", input: { command: "ls -a" } },
    ],
    [{ behavior: "allow", answers: { q1: ["Green"] } }, { answers: { q1: ["Green"] } }],
    // A refusal is not turned into consent by what else is filled in.
    [
      { behavior: "deny", answers: { q1: ["Green"] }, updatedInput: {} },
      { option: "no", effect: "reject" },
    ],
  ])("%j", (metadata, expected) => {
    const request = read("permission_response", { request_id: "a7", ...metadata });
    expect(request).toMatchObject({ type: "reply", ask: "a7" });
    expect(toCommand(request, ASK)).toEqual({ type: "reply", ask: "n1", ...expected });
    expect(toCommand(request)).toBeUndefined();
  });

  test("another input is no command for a request that is not editable", () => {
    const metadata = { request_id: "a7", behavior: "allow", updatedInput: { command: "ls -a" } };
    const request = read("permission_response", metadata);
    expect(toCommand(request, { ...ASK, editable: undefined })).toBeUndefined();
  });

  test("denies a question, which has no option for that", () => {
    const request = read("permission_response", { request_id: "a7", behavior: "deny" });
    expect(toCommand(request, { native: "n1", options: [] })).toMatchObject({
      option: "reject",
      effect: "reject",
    });
  });

  test("a text answers the only question", () => {
    const request = read("permission_response", { request_id: "a7", behavior: "allow", message: "Green" });
    const ask = { native: "n1", options: [], questions: [{ id: "q1" }] };
    expect(toCommand(request, ask)).toEqual({ type: "reply", ask: "n1", answers: { q1: ["Green"] } });
  });

  test("an option that is not offered is no command", () => {
    const request = read("permission_response", { request_id: "a7", behavior: "deny", option: "maybe" });
    expect(toCommand(request, ASK)).toBeUndefined();
  });
});

test("interrupt and configuration_change", () => {
  expect(toCommand(read("interrupt"))).toEqual({ type: "interrupt" });
  const change = { model: "large", permission_mode: "plan", settings: { effort: "low" } };
  expect(toCommand(read("configuration_change", change))).toEqual({
    type: "configure",
    model: "large",
    permissionMode: "plan",
    settings: { effort: "low" },
  });
});

test("what is for consumers only, and what nobody knows, is passed on", () => {
  expect(read("unknown", { anything: 1 })).toMatchObject({
    type: "unknown",
    message: { metadata: { anything: 1 } },
  });
  expect(read("assistant").type).toBe("unknown");
  expect(toCommand(read("unknown"))).toBeUndefined();
});

test.each<[UnifiedMessageType, Record<string, unknown>, UnifiedContent[], string]>([
  ["user_message", {}, [], "content"],
  ["user_message", {}, [{ type: "refusal", refusal: "" }], "content.0"],
  ["user_message", { when_busy: "later" }, [TEXT], "metadata.when_busy"],
  ["user_message", { settings: { a: 1 } }, [TEXT], "metadata.settings"],
  ["user_message", { attachments: {} }, [TEXT], "metadata.attachments"],
  ["user_message", { attachments: [null] }, [TEXT], "metadata.attachments.0"],
  ["user_message", { attachments: [{ type: "file" }] }, [TEXT], "metadata.attachments.0"],
  ["permission_response", {}, [], "metadata.request_id"],
  ["permission_response", { request_id: "a" }, [], "metadata.behavior"],
  ["permission_response", { request_id: "a", behavior: "maybe" }, [], "metadata.behavior"],
  ["permission_response", { request_id: "a", option: 1 }, [], "metadata.option"],
  ["permission_response", { request_id: "a", answers: { q: "x" } }, [], "metadata.answers"],
  ["permission_response", { request_id: "a", behavior: "allow", message: 1 }, [], "metadata.message"],
  [
    "permission_response",
    { request_id: "a", behavior: "allow", updatedInput: "ls" },
    [],
    "metadata.updatedInput",
  ],
  ["configuration_change", {}, [], "metadata"],
  ["configuration_change", { model: "" }, [], "metadata.model"],
  ["configuration_change", { settings: [1] }, [], "metadata.settings"],
])("%s with %j %j is refused for %s", (type, metadata, content, path) => {
  expect(read(type, metadata, content)).toEqual({ type: "invalid", path, problem: expect.any(String) });
});

test("another role is refused", () => {
  const message = createUnifiedMessage({ type: "interrupt", role: "assistant" });
  expect(readUnifiedRequest(message)).toMatchObject({ type: "invalid", path: "role" });
});

test("no valid message makes it throw, and every command is one", () => {
  const metadata = fc.dictionary(
    fc.constantFrom(
      "request_id",
      "behavior",
      "option",
      "answers",
      "message",
      "updatedInput",
      "model",
      "settings",
      "attachments",
      "when_busy",
      "__proto__",
    ),
    fc.oneof(fc.jsonValue(), fc.constantFrom("allow", "deny", "steer")),
  );
  const type = fc.constantFrom(
    "user_message",
    "permission_response",
    "interrupt",
    "configuration_change",
    "unknown",
  );
  fc.assert(
    fc.property(type, metadata, (kind, given) => {
      const message = createUnifiedMessage({
        type: kind as UnifiedMessageType,
        role: "user",
        metadata: given,
        content: [TEXT],
      });
      if (!isUnifiedMessage(message)) return;
      const command = toCommand(readUnifiedRequest(message), ASK);
      if (command) expect(commandSchema.safeParse(command).success).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
