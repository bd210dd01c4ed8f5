import { expect, test } from "vitest";
import { usageCsv } from "./usage-csv.ts";
import { NOTHING } from "./usage-groups.ts";

test("names cannot break a row, nor become formulas", () => {
  const csv = usageCsv("directory", [
    { ...NOTHING, day: "2026-01-31", name: '/home/a, "b"', cost: 0.5, turns: 2 },
    { ...NOTHING, day: "2026-01-31", name: "=HYPERLINK(1)" },
  ]);
  expect(csv.split("\r\n")).toEqual([
    "day,directory,cost,input,output,turns,durationMs,waitedMs,tools,asks,allowed,denied,playCost",
    '2026-01-31,"/home/a, ""b""",0.5,0,0,2,0,0,0,0,0,0,0',
    "2026-01-31,'=HYPERLINK(1),0,0,0,0,0,0,0,0,0,0,0",
    "",
  ]);
});
