import { expect, test } from "vitest";
import type { AskOption } from "../api/types.ts";
import { optionReach } from "./option-reach.ts";

function always(more: Partial<AskOption>): AskOption {
  return { id: "always", label: "Always allow", effect: "always", ...more };
}

test("a rule for just the command that is shown does not show it again", () => {
  for (const cover of ["Bash(npm test)", "npm test", "/bin/bash -lc npm test"]) {
    const reach = optionReach(always({ covers: [cover], storedIn: ".claude/settings.local.json" }), {
      command: "npm test",
    });
    expect(reach).toEqual({
      label: "Always allow",
      covers: [],
      notes: ["Exactly this command", "Kept in .claude/settings.local.json"],
    });
  }
});

test("a wider rule says what it covers", () => {
  const reach = optionReach(always({ covers: ["Bash(npm *)"], storedIn: "session" }), {
    command: "npm test",
  });
  expect(reach).toMatchObject({ covers: ["Bash(npm *)"], notes: ["Until this session ends"] });
});

test("a whole tool is told in words, not by its id", () => {
  const tool = always({ label: "Allow for this session", covers: ["run_command"], storedIn: "session" });
  expect(optionReach(tool, { command: "npm test" })).toEqual({
    label: "Every command, not just this one",
    said: "Allow for this session: run_command",
    covers: [],
    notes: ["Until this session ends"],
  });
  expect(optionReach(always({ covers: ["Edit"] }), {}).label).toBe(
    "Every change of a file, not just this one",
  );
  // Of others nobody knows whether it is a tool, or a command that begins so.
  expect(optionReach(always({ covers: ["ls"] }), { command: "ls src" })).toMatchObject({
    label: "Always allow",
    covers: ["ls"],
  });
});

test("directories are told from where the agent works", () => {
  const covers = ["/atlas/src", "/atlas", "/etc"];
  expect(optionReach(always({ covers }), { cwd: "/atlas" }).covers).toEqual([
    "src",
    "this directory",
    "/etc",
  ]);
});

test("a mode has its name, and a session is named once", () => {
  const mode = always({ label: "Switch to acceptEdits", covers: ["acceptEdits"], storedIn: "session" });
  expect(optionReach(mode, {})).toMatchObject({ label: "Allow all edits", covers: [] });
  const session = always({ label: "Allow for this session", storedIn: "session" });
  expect(optionReach(session, {}).notes).toEqual([]);
});

test("what ends the turn says so", () => {
  expect(optionReach(always({ stops: true }), {}).notes).toEqual(["Ends the turn"]);
});
