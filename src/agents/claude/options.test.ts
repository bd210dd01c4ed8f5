import { describe, expect, it } from "vitest";
import { readOptions } from "../transport/read-options.ts";
import { optionsSchema } from "./options.ts";

const read = (adapterOptions?: Record<string, unknown>) =>
  readOptions("Claude Code", optionsSchema, { adapterOptions });

describe("the options of Claude Code", () => {
  it("are those it knows, or none", () => {
    expect(read()).toEqual({});
    const given = { allowedTools: ["Write"], maxTurns: 2, settingSources: [] };
    expect(read(given)).toEqual(given);
  });

  it.each([
    [{ pace: 0 }, /Claude Code does not take these options: .*Unrecognized key: "pace"/],
    [{ maxTurns: 0 }, /options\.maxTurns/],
    [{ settingSources: ["everything"] }, /options\.settingSources\.0/],
    [{ allowedTools: "Write" }, /options\.allowedTools/],
  ])("are refused and named when they are %j", (given, reason) => {
    expect(() => read(given)).toThrow(reason);
  });
});
