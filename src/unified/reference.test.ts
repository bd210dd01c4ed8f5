/** docs/reference/unified-messages.md says what the code does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVENT_MESSAGES } from "./outbound/event-messages.ts";
import { MESSAGE_ROLES } from "./unified-message.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/reference/unified-messages.md"), "utf8");

function rowsAfter(head: string): string[][] {
  const [, rest = ""] = page.split(`${head}\n`);
  const lines = rest.split("\n").slice(1);
  const end = lines.findIndex((line) => !line.startsWith("|"));
  return lines.slice(0, end).map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, code]) => code!));
}

test("it has every event with its messages", () => {
  const rows = rowsAfter("| event | messages |");
  expect(Object.fromEntries(rows.map(([event, ...messages]) => [event, messages]))).toEqual(EVENT_MESSAGES);
});

test("it has every type with its role", () => {
  const rows = rowsAfter("| type | role | |").map(([type, role]) => [type, role]);
  expect(rows.filter(([type]) => type !== "unknown")).toEqual(Object.entries(MESSAGE_ROLES));
});

test("it has every key that goes out", () => {
  for (const key of [
    "session_id",
    "model",
    "message_id",
    "inResponseTo",
    "request_id",
    "behavior",
    "updatedInput",
  ])
    expect(page).toContain(`\`${key}\``);
});
