import { describe, expect, it } from "vitest";
import { familyMembers } from "./process-family.ts";
import type { ProcessEntry } from "./process-table.ts";

const family = { leader: { pid: 100, startTime: "t100" }, marker: "d/s#1" };

function entry(pid: number, rest: Partial<ProcessEntry> = {}): ProcessEntry {
  return { pid, startTime: `t${pid}`, parent: 1, group: pid, zombie: false, ...rest };
}

function members(entries: ProcessEntry[], known: ProcessEntry[] = []): number[] {
  return familyMembers(entries, family, { known })
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);
}

describe("familyMembers", () => {
  it("finds the leader, its group, its marker and all descendants, in any order of the listing", () => {
    const entries = [
      entry(50, { parent: 104 }),
      entry(104, { parent: 101 }),
      entry(100),
      entry(101, { parent: 100 }),
      entry(102, { group: 100 }),
      entry(103, { marker: "d/s#1" }),
      entry(105, { parent: 103 }),
    ];
    expect(members(entries)).toEqual([50, 100, 101, 102, 103, 104, 105]);
  });

  it("leaves strangers, other agents of the same session and the dead alone", () => {
    const entries = [
      entry(100, { zombie: true }),
      entry(200),
      entry(201, { marker: "d/s#2" }),
      entry(202, { marker: "d/s#11" }),
    ];
    expect(members(entries)).toEqual([]);
  });

  it("follows members known from an earlier listing, but not a stranger with their pid", () => {
    const [tool, reused] = [entry(300), entry(301, { startTime: "later" })];
    const entries = [tool, reused, entry(302, { parent: 300 }), entry(303, { parent: 301 })];
    expect(members(entries, [tool, entry(301)])).toEqual([300, 302]);
  });

  it("keeps to the group after the leader died, until its number is somebody else's", () => {
    const orphan = entry(110, { group: 100 });
    expect(members([orphan])).toEqual([110]);
    expect(members([entry(100, { startTime: "later" }), orphan])).toEqual([]);
  });

  it("counts only blood and group without a marker", () => {
    const unmarked = { ...family, marker: undefined };
    expect(familyMembers([entry(400), entry(401, { marker: "x" })], unmarked)).toEqual([]);
  });
});
