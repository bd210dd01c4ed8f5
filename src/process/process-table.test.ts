import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { parseStat } from "./linux-process-table.ts";
import { isRunning, processTable } from "./process-table.ts";
import { parseMarkers, psProcessTable } from "./ps-process-table.ts";
import { eventually } from "./test-support.ts";

describe("process table", () => {
  it("shows a child with its parent, its group and its marker", async () => {
    const child = spawn("sleep", ["1000"], {
      detached: true,
      env: { PATH: process.env.PATH, FIRST: "1", INTERLINGUA_OWNER: "table-test/session#7" },
    });
    const entry = (await processTable.list()).find(({ pid }) => pid === child.pid);
    expect(entry).toMatchObject({
      parent: process.pid,
      group: child.pid,
      zombie: false,
      marker: "table-test/session#7",
    });
    expect(isRunning(entry!)).toBe(true);
    expect(isRunning({ ...entry!, startTime: "1" })).toBe(false);
    child.kill("SIGKILL");
    await eventually("the child is gone", () => !isRunning(entry!));
  });

  it("knows nothing of a pid nobody has", () => {
    expect(processTable.read(2 ** 30)).toBeUndefined();
    expect(psProcessTable.read(2 ** 30)).toBeUndefined();
  });

  it("reads a name with blanks and parentheses", () => {
    const text = `42 (a ) b (c) Z 7 43 43 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 123456 0 0\n`;
    expect(parseStat(text)).toEqual({ pid: 42, zombie: true, parent: 7, group: 43, startTime: "123456" });
  });

  it("tells the same by way of ps", async () => {
    const own = processTable.read(process.pid)!;
    const byList = (await psProcessTable.list()).find(({ pid }) => pid === process.pid);
    expect(byList).toMatchObject({ parent: own.parent, group: own.group, zombie: false });
    expect(psProcessTable.read(process.pid)).toEqual(
      expect.objectContaining({ startTime: byList!.startTime }),
    );
  });

  it("finds the marker in what macOS prints, after arguments that look like it", () => {
    const text = [
      "    1 /sbin/launchd",
      "  612 /bin/sh -c INTERLINGUA_OWNER=fake PATH=/bin INTERLINGUA_OWNER=daemon/session#3 HOME=/Users/ada",
      " 7000 node agent.js TERM=xterm",
    ].join("\n");
    expect(parseMarkers(text)).toEqual(new Map([[612, "daemon/session#3"]]));
  });
});
