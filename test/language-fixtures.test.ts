/**
 * Recordings of real agents beside the event sequences they mean, written by hand. They are what the translators have
 * to reproduce; here they show that the event language can say it, by its own rules.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkLog } from "../src/core/check-log.ts";
import { eventSchema, type SessionEvent } from "../src/core/event.ts";
import { foldMessages } from "../src/core/fold-messages.ts";

const root = join(import.meta.dirname, "fixtures", "language");
const files = globSync("**/*.events.jsonl", { cwd: root }).sort();

function lines(file: string): unknown[] {
  const text = readFileSync(file, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

it("there are fixtures", () => {
  expect(files.length).toBeGreaterThan(0);
});

describe.each(files)("%s", (file) => {
  const path = join(root, file);
  const events = lines(path) as SessionEvent[];
  const recording = lines(join(dirname(path), basename(path, ".events.jsonl").concat(".recording.jsonl")));

  it("every line is an event, with no field the language does not know", () => {
    for (const event of events) expect(eventSchema.parse(event)).toEqual(event);
  });

  it("is a well-formed, complete log", () => {
    expect(checkLog(events, { complete: true })).toEqual([]);
  });

  it("comes from the recording, in its order", () => {
    let last = 0;
    for (const { raw } of events) {
      if (raw === undefined) continue;
      expect(raw).toBeGreaterThanOrEqual(last);
      expect(raw).toBeLessThanOrEqual(recording.length);
      last = raw;
    }
    expect(last).toBeGreaterThan(0);
  });

  it("folds to a conversation in which no two assistant messages are adjacent", () => {
    const roles = foldMessages(events).map((message) => message.role);
    expect(roles.length).toBeGreaterThan(0);
    for (const [place, role] of roles.entries()) {
      if (role === "assistant") expect(roles[place - 1]).not.toBe("assistant");
    }
  });
});
