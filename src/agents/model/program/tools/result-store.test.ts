import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { getToolResult } from "./get-tool-result.ts";
import { createResultStore, MAX_INLINE_LENGTH } from "./result-store.ts";
import { call, toolBench } from "./tool-test-support.ts";

it("gives a short result as it is, and keeps it without a file", async () => {
  const { results, outside } = toolBench();
  const result = { type: "read_file_result", path: "a", content: "short" };
  expect(await results.put("call-1", "read_file", { path: "a" }, result)).toBe(result);
  expect(await results.get("call-1")).toEqual({
    name: "read_file",
    args: { path: "a" },
    result: JSON.stringify(result),
  });
  expect(existsSync(join(outside, "results"))).toBe(false);
});

it("gives a long result as a reference with a preview, and all of it page by page, also after a restart", async () => {
  const bench = toolBench();
  const content = Array.from({ length: 20_000 }, (_, index) => `"line"\t${index}\n`).join("");
  const result = { type: "read_file_result", path: "a", content };
  const shown = await bench.results.put("call/../1", "read_file", {}, result);
  expect(shown).toMatchObject({
    type: "read_file_result",
    tool_call_id: "call/../1",
    is_preview: true,
    preview: content.slice(0, 500),
    note: expect.stringContaining("get_tool_result"),
  });
  expect(JSON.stringify(shown).length).toBeLessThan(2000);

  const directory = join(bench.outside, "results");
  const [file] = readdirSync(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, file!)).mode & 0o777).toBe(0o600);

  const later = { ...bench, results: createResultStore({ directory }) };
  let text = "";
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page = await call(getToolResult, { tool_call_id: "call/../1", offset }, later);
    expect(page).toMatchObject({ type: "tool_result", tool_name: "read_file", offset });
    expect(JSON.stringify(page).length).toBeLessThan(MAX_INLINE_LENGTH);
    expect(await later.results.put("page", "get_tool_result", {}, page)).toBe(page);
    text += page.text;
    offset = page.next_offset as number | undefined;
  }
  expect(JSON.parse(text)).toEqual(result);
  const part = { tool_call_id: "call/../1", offset: 5, length: 10 };
  expect(await call(getToolResult, part, later)).toMatchObject({ text: text.slice(5, 15), next_offset: 15 });
  expect(await call(getToolResult, { ...part, offset: 10 ** 9 }, later)).toMatchObject({ text: "" });
});

it("says of a result it does not have that it is gone", async () => {
  expect(await call(getToolResult, { tool_call_id: "none" }, toolBench())).toMatchObject({
    type: "tool_error",
    code: "not_found",
  });
});

it("forgets the oldest results, in memory and on disk", async () => {
  const { outside } = toolBench();
  const directory = join(outside, "results");
  const store = createResultStore({
    directory,
    maxInlineLength: 100,
    maxMemoryLength: 200,
    maxFileBytes: 5000,
  });
  const put = (id: string, length: number) =>
    store.put(id, "tool", {}, { type: "x", text: "y".repeat(length) });
  for (let index = 0; index < 10; index += 1) await put(`short-${index}`, 40);
  expect(await store.get("short-0")).toBeUndefined();
  expect(await store.get("short-9")).toBeDefined();
  for (let index = 0; index < 10; index += 1) await put(`long-${index}`, 2000);
  expect(readdirSync(directory)).toHaveLength(2);
  expect(await store.get("long-9")).toBeDefined();
});

it("tells when a long result cannot be kept, and follows no link", async () => {
  const { outside } = toolBench();
  writeFileSync(join(outside, "file"), "");
  const nowhere = createResultStore({ directory: join(outside, "file/results"), maxInlineLength: 10 });
  expect(await nowhere.put("a", "tool", {}, { type: "x", text: "long enough" })).toMatchObject({
    is_preview: true,
    note: expect.stringContaining("could not be kept"),
  });
  const directory = join(outside, "results");
  const store = createResultStore({ directory, maxInlineLength: 10 });
  await store.put("a", "tool", {}, { type: "x", text: "long enough" });
  const [file] = readdirSync(directory);
  const linked = createResultStore({ directory: join(outside, "linked") });
  await createResultStore({ directory: join(outside, "linked"), maxInlineLength: 1 }).put(
    "b",
    "t",
    {},
    { type: "x" },
  );
  symlinkSync(join(directory, file!), join(outside, "linked", file!));
  const bench = toolBench({ results: linked });
  expect(await call(getToolResult, { tool_call_id: "a" }, bench)).toMatchObject({ code: "exception" });
});
