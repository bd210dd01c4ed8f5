import { expect, it } from "vitest";
import { z } from "zod";
import { TOOLS } from "./index.ts";
import { setDialogTitle } from "./set-dialog-title.ts";
import { call, toolBench } from "./tool-test-support.ts";
import { updatePlan } from "./update-plan.ts";

it("has the tools, and each asks for what it does", () => {
  expect(Object.fromEntries(TOOLS.map(({ name, permission }) => [name, permission]))).toEqual({
    read_file: "none",
    write_to_file: "edit",
    replace_in_file: "edit",
    delete_file: "edit",
    list_files: "none",
    search_files: "none",
    run_command: "execute",
    web_fetch: "fetch",
    web_search: "fetch",
    get_tool_result: "none",
    set_dialog_title: "none",
    update_plan: "none",
  });
});

it.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  "%s has an input that providers take",
  (_name, tool) => {
    expect(z.toJSONSchema(tool.input)).toMatchObject({ type: "object", properties: expect.any(Object) });
  },
);

it("names the conversation in one line", async () => {
  const bench = toolBench();
  const title = " Two\n lines \u0007 ";
  expect(await call(setDialogTitle, { title }, bench)).toEqual({
    type: "set_dialog_title_result",
    title: "Two lines",
  });
  await call(setDialogTitle, { title: "x".repeat(5000) }, bench);
  expect(bench.titles).toEqual(["Two lines", "x".repeat(200)]);
  expect(await call(setDialogTitle, { title: " \n" }, bench)).toMatchObject({
    type: "tool_error",
    code: "invalid_argument",
  });
});

it("shows a plan", async () => {
  const bench = toolBench();
  const items = [
    { text: "one", status: "done" as const },
    { text: "two", status: "active" as const },
  ];
  expect(await call(updatePlan, { items }, bench)).toEqual({ type: "update_plan_result", count: 2 });
  expect(bench.plans).toEqual([items]);
  expect(updatePlan.title({ items })).toBe("Plan: 1 of 2 done");
});
