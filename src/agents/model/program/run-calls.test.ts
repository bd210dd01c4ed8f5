import { expect, it } from "vitest";
import type { WireEvent } from "../wire.ts";
import type { LoopTool } from "./loop-tool.ts";
import { Permissions } from "./permissions.ts";
import { type CallSurroundings, runCalls } from "./run-calls.ts";
import type { ToolOutcome } from "./tools/tool.ts";

it("a write that ends while the turn is being stopped is told", async () => {
  const events: WireEvent[] = [];
  const started = Promise.withResolvers<void>();
  const written = Promise.withResolvers<ToolOutcome>();
  const tool: LoopTool = {
    name: "write_to_file",
    kind: "edit",
    description: "",
    schema: {},
    permission: "edit",
    parse: (input) => input,
    title: () => "Write a.txt",
    run() {
      started.resolve();
      return written.promise;
    },
  };
  const stop = new AbortController();
  const session = {
    configuration: { permissions: "bypass" },
    means: {
      output: { send: async (event: WireEvent) => void events.push(event) },
      permissions: new Permissions([], "/"),
      results: { put: async (_call: string, _name: string, _input: unknown, result: object) => result },
    },
  } as unknown as CallSurroundings["session"];
  const ask = () => Promise.reject(new Error("nobody is asked"));
  const running = runCalls({ session, signal: stop.signal, tools: [tool], ask }, [
    { id: "c1", name: "write_to_file", input: {} },
  ]);
  await started.promise;
  stop.abort();
  written.resolve({
    result: { type: "write_file_result" },
    changes: [{ path: "/project/a.txt", change: "created" }],
  });
  expect(await running).toMatchObject([{ output: { value: { type: "write_file_result" } } }]);
  expect(events.map(({ event }) => event)).toEqual(["call_described", "file_changed", "call_output"]);
});
