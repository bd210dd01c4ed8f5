/** A directory for a tool to work in, and a context that notes what the tool tells. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createResultStore } from "./result-store.ts";
import type { ModelTool, PlanItem, ToolContext, ToolResult } from "./tool.ts";
import { ToolFailure } from "./tool-failure.ts";

export interface ToolBench extends ToolContext {
  /** Holds the session's directory, and whatever shall be outside of it. */
  readonly outside: string;
  readonly titles: string[];
  readonly plans: PlanItem[][];
  readonly output: () => string;
}

export function toolBench(overrides: Partial<ToolContext> = {}): ToolBench {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-tools-")));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const cwd = join(outside, "project");
  mkdirSync(cwd);
  const titles: string[] = [];
  const plans: PlanItem[][] = [];
  let output = "";
  return {
    cwd,
    outside,
    titles,
    plans,
    output: () => output,
    signal: new AbortController().signal,
    environment: { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: cwd },
    results: createResultStore({ directory: join(outside, "results") }),
    web: { allowPrivate: false },
    onOutput(text) {
      output += text;
    },
    setTitle: (title) => titles.push(title),
    setPlan: (items) => plans.push(items),
    ...overrides,
  };
}

/** What the model gets, of a failure too. Any other error is thrown. */
export async function call<Input>(
  tool: ModelTool<Input>,
  input: Input,
  context: ToolContext,
): Promise<ToolResult> {
  try {
    return (await tool.run(tool.input.parse(input), context)).result;
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return error.toResult(tool.name);
  }
}
