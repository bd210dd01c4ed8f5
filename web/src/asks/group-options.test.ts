import fc from "fast-check";
import { expect, test } from "vitest";
import type { AskOption } from "../api/types.ts";
import { groupOptions, shortLabel } from "./group-options.ts";

const option = (id: string, effect: AskOption["effect"], more: Partial<AskOption> = {}): AskOption => ({
  ...{ id, label: id, effect },
  ...more,
});

test("the usual options, whatever their order", () => {
  const options = [
    option("stop", "reject", { stops: true }),
    option("deny", "reject"),
    option("never", "reject-always"),
    option("always", "always"),
    option("allow", "once"),
    option("other", "other"),
  ];
  const { allow, others, always, deny, denials } = groupOptions(options);
  expect([allow?.id, deny?.id]).toEqual(["allow", "deny"]);
  expect(always.map(({ id }) => id)).toEqual(["always"]);
  expect(others.map(({ id }) => id)).toEqual(["other"]);
  expect(denials.map(({ id }) => id)).toEqual(["stop", "never"]);
});

test("where the only no also ends the turn, it is the no", () => {
  expect(groupOptions([option("stop", "reject", { stops: true })]).deny?.id).toBe("stop");
  expect(groupOptions([option("never", "reject-always")]).deny?.id).toBe("never");
  expect(groupOptions([]).deny).toBeUndefined();
});

test("every option has exactly one place", () => {
  const effects = fc.constantFrom<AskOption["effect"]>("once", "always", "reject", "reject-always", "other");
  fc.assert(
    fc.property(fc.array(fc.tuple(effects, fc.boolean()), { maxLength: 12 }), (given) => {
      const options = given.map(([effect, stops], index) => option(`o${index}`, effect, { stops }));
      const { allow, others, always, deny, denials } = groupOptions(options);
      const placed = [...(allow ? [allow] : []), ...others, ...always, ...(deny ? [deny] : []), ...denials];
      expect(placed.map(({ id }) => id).sort()).toEqual(options.map(({ id }) => id).sort());
    }),
  );
});

test("labels are short, and mean no less than they say", () => {
  expect(shortLabel(option("a", "once", { label: "Yes" }), "Allow")).toBe("Allow");
  expect(shortLabel(option("a", "once", { label: "Allow once" }), "Allow")).toBe("Allow");
  expect(shortLabel(option("a", "once", { label: "Allow for this turn" }), "Allow")).toBe(
    "Allow for this turn",
  );
  expect(shortLabel(option("d", "reject", { label: "Decline" }), "Deny")).toBe("Deny");
  expect(shortLabel(option("d", "reject", { label: "Deny and stop" }), "Deny")).toBe("Deny and stop");
  const long = "No, and tell the agent what to do differently";
  expect(shortLabel(option("d", "reject", { label: long }), "Deny")).toBe("Deny");
});
