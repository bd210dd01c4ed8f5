import { expect, it } from "vitest";
import { readCommittedSchema } from "../../agents/schemas/committed-schema.ts";
import type { JsonSchema, MessageSchema } from "../../agents/schemas/message-schema.ts";
import { compare, versionDetail } from "./check-drift.ts";

const known = readCommittedSchema("codex")!;

it("is content with a version that says nothing new", () => {
  expect(compare({ ...known, version: "9.0.0" }, known)).toEqual({
    state: "ok",
    detail: `9.0.0 says nothing that ${known.version}, which Interlingua was built on, did not`,
  });
  expect(compare(known, known).detail).toBe(`${known.version} is the version Interlingua was built on`);
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
  expect(detail).toContain("and 2 others");
});

it("names a new field once, however many messages carry it", () => {
  const found: MessageSchema = JSON.parse(JSON.stringify({ ...known, version: "9.0.0" }));
  const turn = found.$defs.Turn!.properties as Record<string, JsonSchema>;
  turn.mood = { type: "object", properties: { colour: { type: "string" } } };
  expect(compare(found, known).detail).toMatch(/new fields mood in [\w/]+ and \d+ more\. /);
});

it("names messages that a newer version no longer has, and none that an older one does not have yet", () => {
  const [first, ...others] = known.anyOf;
  const name = String(first!.properties?.method?.enum?.[0]);
  const newer = compare({ ...known, version: "9.0.0", anyOf: others }, known);
  expect(newer).toMatchObject({ state: "warning" });
  expect(newer.detail).toContain(`gone are the messages ${name}.`);
  expect(compare({ ...known, version: "0.1.0", anyOf: others }, known).state).toBe("ok");
});

it("says of an agent that cannot be asked what its schema is from", () => {
  const claude = readCommittedSchema("claude")!;
  expect(versionDetail(claude.version, claude)).toMatch(
    /is the version .*claude-agent-sdk \d.*recordings of/,
  );
  expect(versionDetail("9.9.9", claude)).toMatch(/^9\.9\.9 cannot be asked.*counted as unread/);
});
