import { expect, test } from "vitest";
import type { ShownAsk } from "./answers-props.ts";
import { askHeading } from "./ask-heading.ts";

function permission(title: string, more: Partial<ShownAsk> = {}): ShownAsk {
  return { ask: "a1", kind: "permission", title, options: [], ...more };
}

test("a title that says no more than the command gives way to a short one", () => {
  for (const title of ["Run npm test", "Bash: npm test", "npm test", "Execute command: npm test"]) {
    expect(askHeading(permission(title), "npm test")).toEqual({ title: "Run a command" });
  }
  const long = `npm run build -- ${"x".repeat(400)}`;
  expect(askHeading(permission(`Run ${long.slice(0, 100)}…`), long)).toEqual({ title: "Run a command" });
  expect(askHeading(permission("Run a\n  b"), "a\nb")).toEqual({ title: "Run a command" });
});

test("a title that says more stays", () => {
  expect(askHeading(permission("Write to npm test"), "npm test")).toEqual({ title: "Write to npm test" });
  expect(askHeading(permission("Grant further permissions"), undefined)).toEqual({
    title: "Grant further permissions",
  });
  expect(askHeading(permission("Clean up"), "rm -rf build").title).toBe("Clean up");
});

test("a file whose content before is not told is written, not changed", () => {
  const changes = [{ path: "/atlas/a.txt", kind: "changed", diff: "@@ -0,0 +1 @@\n+A\n" }];
  expect(askHeading(permission("Write a.txt", { changes }), undefined)).toEqual({ title: "Write a file" });
});

test("changed files are named by their diffs alone", () => {
  const changes = [{ path: "/atlas/src/a.txt", kind: "changed", diff: "" }];
  const ask = permission("Edit a.txt", { changes, description: "a.txt" });
  expect(askHeading(ask, undefined)).toEqual({ title: "Change a file" });
  const two = permission("Change a.txt, b.txt", {
    changes: [...changes, { path: "b.txt", kind: "created" }],
    description: "Outside of the sandbox",
  });
  expect(askHeading(two, undefined)).toEqual({
    title: "Change 2 files",
    description: "Outside of the sandbox",
  });
  expect(askHeading(permission("Apply the patch", { changes }), undefined).title).toBe("Apply the patch");
});

test("the path of the file is not repeated, and what else is said about the change stays", () => {
  const changes = [{ path: "/p/a.ts", kind: "changed" as const, diff: "" }];
  const headed = (description: string) =>
    askHeading(permission("Edit a.ts", { description, changes }), undefined);
  expect(headed("/p/a.ts")).toEqual({ title: "Change a file" });
  expect(headed("/p/a.ts\nWithout line numbers.").description).toBe("Without line numbers.");
  expect(headed("Mind this.").description).toBe("Mind this.");
});

test("what the agent says about it is kept, unless it repeats the title or the command", () => {
  const described = permission("Run npm test", { description: "Runs the tests." });
  expect(askHeading(described, "npm test").description).toBe("Runs the tests.");
  expect(askHeading(permission("Run ls", { description: "ls" }), "ls")).toEqual({ title: "Run a command" });
  expect(askHeading(permission("Go?", { description: "Go?" }), undefined)).toEqual({ title: "Go?" });
});

test("a single question that is the title has no description", () => {
  const ask: ShownAsk = {
    ...{ ask: "a1", kind: "question", title: "Which?", description: "Which?", options: [] },
    questions: [{ id: "q1", text: "Which?" }],
  };
  expect(askHeading(ask, undefined)).toEqual({ title: "Which?" });
});
