import { expect, test } from "vitest";
import { usageCsv } from "./usage-csv.ts";

const counts = { cost: 0.25, turns: 1, durationMs: 7, waitedMs: 3, tools: 2, asks: 3, allowed: 2, denied: 1 };

test("has a column for each key and each count, and quotes what needs it", () => {
  const groups = [
    { model: 'a "b", c', directory: "/work", usage: { input: 5, cacheRead: 4 }, ...counts },
    { directory: "=1+1", usage: {}, ...counts },
  ];
  expect(usageCsv(["model", "directory"], groups)).toBe(
    [
      "model,directory,turns,input,cacheRead,cacheWrite,output,reasoning,tools,asks,allowed,denied,durationMs,waitedMs,cost,playCost",
      '"a ""b"", c",/work,1,5,4,,,,2,3,2,1,7,3,0.25,',
      ",'=1+1,1,,,,,,2,3,2,1,7,3,0.25,",
      "",
    ].join("\r\n"),
  );
});
