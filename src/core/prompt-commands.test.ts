import { expect, test } from "vitest";
import { findCommand, type OfferedCommands } from "./prompt-commands.ts";

const offered = [
  "compact",
  "Deploy",
  "extensions",
  "extensions link",
  "auto-accept",
  "$skill",
  "mcp:tool:run",
].map((name) => ({ name, description: name === "auto-accept" ? "Skip permission prompts" : undefined }));

const KNOWN: OfferedCommands = {
  offered,
  asking: {
    commands: {
      compact: "session.prompt",
      review: "session.prompt",
      extensions: "session.bypass",
      "extensions list": "session.prompt",
      yolo: "session.bypass",
    },
  },
  hasCommands: true,
};

const find = (known: OfferedCommands, ...texts: string[]) =>
  findCommand(
    texts.map((text) => ({ type: "text", text })),
    known,
  );

test.each([
  ["/compact", "/compact", "session.prompt"],
  ["/compact the first half", "/compact", "session.prompt"],
  [" \n\t/COMPACT", "/compact", "session.prompt"],
  ["\u200b\ufeff/compact", "/compact", "session.prompt"],
  ["/ compact", "/compact", "session.prompt"],
  ["/deploy now", "/deploy", "session.settings"],
  ["/extensions", "/extensions", "session.bypass"],
  ["/extensions list", "/extensions list", "session.prompt"],
  ["/extensions  LINK ./evil", "/extensions", "session.bypass"],
  ["/extensions:install x", "/extensions", "session.bypass"],
  ["/auto-accept on", "/auto-accept", "session.bypass"],
  // Not offered, but taken.
  ["/yolo", "/yolo", "session.bypass"],
  ["/mcp:tool:run", "/mcp:tool:run", "session.settings"],
  ["$skill x", "$skill", "session.settings"],
])("%j is %s and needs %s", (text, command, right) => {
  expect(find(KNOWN, text)).toEqual({ command, right });
});

test.each(["", " ", "hello", "see /compact", "/etc/passwd", "//compact", "/review", "/compactor", "$HOME"])(
  "%j is no command of an agent that has told its own",
  (text) => expect(find(KNOWN, text)).toBeUndefined(),
);

test("before an agent has listed its commands, each name after a slash may be one", () => {
  const before = { ...KNOWN, offered: undefined };
  const isUnlisted = true;
  expect(find(before, "/review")).toEqual({ command: "/review", right: "session.prompt", isUnlisted });
  expect(find(before, "/yolo")).toEqual({ command: "/yolo", right: "session.bypass", isUnlisted });
  for (const name of ["/deploy", "/frontend/deploy", "/tmp", "$skill"])
    expect(find(before, `${name} x`)).toEqual({ command: name, right: "session.settings", isUnlisted });
  expect(find(before, "//compact")).toBeUndefined();
  expect(find({ hasCommands: false }, "/deploy")).toBeUndefined();
});

test.each(["/tmp is full", "/home", "/config is broken, look"])(
  "%j is no command of an agent that offers none of that name, and never needs an owner",
  (text) => {
    expect(find({ offered: [], hasCommands: true }, text)).toBeUndefined();
    expect(find({ hasCommands: true }, text)?.right).toBe("session.settings");
  },
);

test("a harmless name that a file of the workspace has taken over is not harmless", () => {
  const commands = { review: "session.prompt", yolo: "session.bypass" } as const;
  const right = (name: string, description: string) =>
    find({ offered: [{ name, description }], asking: { commands }, hasCommands: true }, `/${name}`)?.right;
  expect(right("review", "Review a pull request")).toBe("session.prompt");
  expect(right("review", "Review (project)")).toBe("session.settings");
  expect(right("review", "Review (project:frontend)")).toBe("session.settings");
  expect(right("review", "Review (user)")).toBe("session.settings");
  expect(right("yolo", "Stop asking (user)")).toBe("session.bypass");
});

test("an invisible character inside a name does not hide the command", () => {
  expect(find(KNOWN, "/yo\u200blo")?.right).toBe("session.bypass");
});

test("each text counts, and all of them together; the one that needs most decides", () => {
  expect(find(KNOWN, "Look:", "/yolo")?.command).toBe("/yolo");
  expect(find(KNOWN, "/yo", "lo")?.command).toBe("/yolo");
  expect(find(KNOWN, "/compact", "/yolo")?.command).toBe("/yolo");
});
