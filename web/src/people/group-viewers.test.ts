import { expect, test } from "vitest";
import type { Presence } from "../api/types.ts";
import { groupViewers, initialsOf } from "./group-viewers.ts";

function viewer(name: string, more: Partial<Presence["viewers"][number]> = {}): Presence["viewers"][number] {
  return { name, role: "participant", dialect: "v1", since: 1, count: 1, ...more };
}

test("one entry for each name and role, with the protocols it watches with, and which one is mine", () => {
  const viewers = [
    viewer("owner (page)", { role: "owner" }),
    viewer("Ada (page)"),
    viewer("owner (page)", { role: "owner", dialect: "chat" }),
    viewer("Ada (phone)"),
  ];
  expect(groupViewers(viewers, "Ada")).toEqual([
    { name: "owner (page)", role: "owner", initials: "O", isMe: false, dialects: ["v1", "chat"] },
    { name: "Ada (page)", role: "participant", initials: "A", isMe: true, dialects: ["v1"] },
    { name: "Ada (phone)", role: "participant", initials: "A", isMe: false, dialects: ["v1"] },
  ]);
});

test.each([
  ["ada lovelace", "AL"],
  ["Grace Brewster Hopper (page)", "GB"],
  ["owner (phone)", "O"],
  ["ci-bot", "CB"],
  ["ß", "SS"],
  ["李 小龍", "李小"],
  ["(page)", "?"],
  ["", "?"],
])("%s is shortened to %s", (name, initials) => expect(initialsOf(name)).toBe(initials));
