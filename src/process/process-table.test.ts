import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { eventually } from "../testkit/eventually.ts";
import { parseStat } from "./linux-process-table.ts";
import { isRunning, processTable } from "./process-table.ts";
import { leastAge, parseMarkers, psProcessTable } from "./ps-process-table.ts";

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

  it.each(["Asia/Tokyo", "America/Los_Angeles"])(
    "by way of ps, a process is not hours older or younger in %s",
    async (zone) => {
      const module = new URL("ps-process-table.ts", import.meta.url).href;
      const script = `const { psProcessTable } = await import(${JSON.stringify(module)});
        console.log(psProcessTable.startAges()(psProcessTable.read(process.ppid)));`;
      const env = { ...process.env, TZ: zone };
      const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
        env,
      });
      const ownAge = performance.now();
      expect(Math.abs(Number(stdout) - ownAge)).toBeLessThan(3_600_000);
    },
  );

  it("by way of ps, a command that began within a second does not pass for an older one", () => {
    const now = Date.UTC(2026, 10, 16, 5, 19, 12, 900);
    expect(leastAge("Mon_Nov_16_05:19:12_2026", now)).toBe(-100);
    expect(leastAge("Mon_Nov_16_05:19:02_2026", now)).toBe(9900);
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
