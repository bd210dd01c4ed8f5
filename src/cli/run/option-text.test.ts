import { expect, test } from "vitest";
import { optionText } from "./option-text.ts";

const always = { id: "always", effect: "always" } as const;

test.each([
  ["a plain option is its label", { id: "a", effect: "once", label: "Allow" }, "Allow"],
  [
    "one that holds on says for what, and where that is kept",
    {
      ...always,
      label: "Always allow",
      covers: ["Bash(npm test *)"],
      storedIn: ".claude/settings.local.json",
    },
    "Always allow: Bash(npm test *) (kept in .claude/settings.local.json)",
  ],
  [
    "what the label says is not said again",
    { ...always, label: "Switch to acceptEdits", covers: ["acceptEdits"], storedIn: "session" },
    "Switch to acceptEdits (for this session)",
  ],
  [
    "a label that names the session needs no more of it",
    { ...always, label: "Allow for this session", covers: ["run_command"], storedIn: "session" },
    "Allow for this session: run_command",
  ],
  [
    "a description stands behind",
    { ...always, label: "Always", covers: ["a\nb"], storedIn: "x.json", description: "Ask no more" },
    "Always: a b (kept in x.json; Ask no more)",
  ],
] as const)("%s", (_, option, text) => {
  expect(optionText({ ...option, covers: "covers" in option ? [...option.covers] : undefined })).toBe(text);
});

test("of many things that are covered the first are named", () => {
  const covers = Array.from({ length: 30 }, (_, index) => `rule-${index}`);
  expect(optionText({ ...always, label: "Always", covers })).toMatch(/: rule-0, .*, rule-19 and 10 more$/);
});
