import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkUnifiedMessage, UNIFIED_LIMITS } from "./check-unified-message.ts";
import { createUnifiedMessage } from "./create-unified-message.ts";
import { isUnifiedMessage } from "./is-unified-message.ts";
import { MESSAGE_ROLES, UNIFIED_MESSAGE_TYPES, type UnifiedContent } from "./unified-message.ts";

const BLOCKS: UnifiedContent[] = [
  { type: "text", text: "Hello!" },
  { type: "thinking", thinking: "Hm.", budget_tokens: 100 },
  { type: "tool_use", id: "c1", name: "bash", input: { command: "ls", nested: [{ deep: null }] } },
  { type: "tool_result", tool_use_id: "c1", content: "a.txt", is_error: false },
  { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
  { type: "code", language: "ts", code: "1 + 1" },
  { type: "refusal", refusal: "No." },
];

function valid() {
  return createUnifiedMessage({ type: "assistant", role: "assistant", content: [...BLOCKS] });
}

test("a created message has a UUID of version 4, a time, content and metadata, and is valid", () => {
  const message = createUnifiedMessage({ type: "interrupt", role: "user" });
  expect(message.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(message).toEqual({
    id: message.id,
    timestamp: expect.any(Number),
    type: "interrupt",
    role: "user",
    content: [],
    metadata: {},
  });
  expect(isUnifiedMessage(message)).toBe(true);
  expect(createUnifiedMessage({ type: "interrupt", role: "user", parentId: "p" }).parentId).toBe("p");
});

test.each(UNIFIED_MESSAGE_TYPES)("a message of type %s is valid, also after JSON", (type) => {
  const role = type === "unknown" ? "user" : MESSAGE_ROLES[type];
  const message = createUnifiedMessage({ type, role, content: BLOCKS, metadata: { a: 1, b: undefined } });
  expect(checkUnifiedMessage(message)).toBeUndefined();
  expect(isUnifiedMessage(JSON.parse(JSON.stringify(message)))).toBe(true);
});

describe("what is wrong is named", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  let deep: unknown = 1;
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  const throwing = Object.defineProperty(valid(), "metadata", {
    get: () => {
      throw new Error("no");
    },
  });

  test.each<[unknown, string]>([
    [null, ""],
    [[], ""],
    ["text", ""],
    [throwing, ""],
    [{ ...valid(), id: undefined }, "id"],
    [{ ...valid(), id: "" }, "id"],
    [{ ...valid(), id: "x".repeat(UNIFIED_LIMITS.MAX_ID_LENGTH + 1) }, "id"],
    [{ ...valid(), timestamp: Number.NaN }, "timestamp"],
    [{ ...valid(), timestamp: "1" }, "timestamp"],
    [{ ...valid(), type: "team_message" }, "type"],
    [{ ...valid(), type: "constructor" }, "type"],
    [{ ...valid(), role: "developer" }, "role"],
    [{ ...valid(), content: "Hello" }, "content"],
    [{ ...valid(), content: new Array(1) }, "content.0"],
    [{ ...valid(), content: new Array(UNIFIED_LIMITS.MAX_BLOCKS + 1).fill(BLOCKS[0]) }, "content"],
    [{ ...valid(), content: [{ type: "video" }] }, "content.0.type"],
    [{ ...valid(), content: [BLOCKS[0], { type: "text", text: 1 }] }, "content.1.text"],
    [{ ...valid(), content: [{ ...BLOCKS[2], input: [] }] }, "content.0.input"],
    [{ ...valid(), content: [{ ...BLOCKS[3], content: {} }] }, "content.0.content"],
    [{ ...valid(), content: [{ ...BLOCKS[4], source: { type: "url" } }] }, "content.0.source.type"],
    [{ ...valid(), metadata: null }, "metadata"],
    [{ ...valid(), metadata: [] }, "metadata"],
    [{ ...valid(), metadata: { cyclic } }, "metadata.cyclic"],
    [{ ...valid(), metadata: { deep } }, "metadata.deep"],
    [{ ...valid(), metadata: { call: () => 1 } }, "metadata.call"],
    [{ ...valid(), metadata: { big: 1n } }, "metadata.big"],
    [{ ...valid(), metadata: { list: new Array(UNIFIED_LIMITS.MAX_VALUES + 1) } }, "metadata.list"],
    [{ ...valid(), parentId: 7 }, "parentId"],
  ])("case %#", (value, path) => {
    expect(checkUnifiedMessage(value)).toEqual({ path, message: expect.stringMatching(/must|too/) });
    expect(isUnifiedMessage(value)).toBe(false);
  });
});

test("no value makes it throw", () => {
  fc.assert(
    fc.property(
      fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }),
      (value) => {
        expect(typeof isUnifiedMessage(value)).toBe("boolean");
        expect(typeof isUnifiedMessage({ ...valid(), content: [value] })).toBe("boolean");
        expect(typeof isUnifiedMessage({ ...valid(), metadata: value })).toBe("boolean");
      },
    ),
  );
});
