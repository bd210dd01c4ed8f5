import { expect, it } from "vitest";
import { readCommittedSchema } from "../../agents/schemas/committed-schema.ts";
import type { JsonSchema, MessageSchema } from "../../agents/schemas/message-schema.ts";
import { compare } from "./check-drift.ts";

const known = readCommittedSchema("codex")!;

it("is content with a version that says nothing new", () => {
  expect(compare({ ...known, version: "9.0.0" }, known)).toEqual({
    state: "ok",
    detail: `9.0.0 says nothing that ${known.version} did not`,
  });
});

it("names messages that are new, and counts those that are too many to name", () => {
  const fresh = Array.from(
    { length: 14 },
    (_, index): JsonSchema => ({
      properties: { method: { const: `item/new${index}` } },
    }),
  );
  const found: MessageSchema = { ...known, version: "9.0.0", anyOf: [...known.anyOf, ...fresh] };
  const { state, detail } = compare(found, known);
  expect(state).toBe("warning");
  expect(detail).toContain("new messages item/new0, item/new1,");
  expect(detail).toContain("and 2 more");
});
