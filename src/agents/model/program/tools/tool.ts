/** What a tool of the model agent is. The loop gives it input and context; it knows nothing of the loop. */
import type { z } from "zod";
import type { ResultStore } from "./result-store.ts";
import type { WebSettings } from "./web/web-settings.ts";

export { ToolFailure } from "./tool-failure.ts";

export interface PlanItem {
  readonly text: string;
  readonly status: "pending" | "active" | "done";
}

export interface FileChange {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
  /** Absent where it would be too long, and for files that are not text. */
  readonly diff?: string;
}

export interface ToolContext {
  /** The session's directory, links resolved. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** For commands: the environment they get. */
  readonly environment: Readonly<Record<string, string>>;
  /** What a command prints, as it comes. */
  onOutput(text: string): void;
  /** Earlier results of this conversation, whole. */
  readonly results: ResultStore;
  setTitle(title: string): void;
  setPlan(items: PlanItem[]): void;
  readonly web: WebSettings;
}

export interface ToolResult {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface ToolOutcome {
  readonly result: ToolResult;
  readonly changes?: readonly FileChange[];
}

export interface ModelTool<Input> {
  readonly name: string;
  readonly kind: "read" | "edit" | "delete" | "search" | "execute" | "fetch" | "plan" | "other";
  /** For the model. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** One line for people: all that matters of the input. */
  title(input: Input): string;
  /** Needs a person unless the mode says otherwise. */
  readonly permission: "none" | "edit" | "execute" | "fetch";
  /** Why it cannot be used with these settings, in a sentence; undefined when it can. `run` fails with the same. */
  unavailable?(web: WebSettings): string | undefined;
  /** The changes it would make, with diffs, for the ask. Changes nothing. Throws `ToolFailure`. */
  preview?(input: Input, context: ToolContext): Promise<FileChange[]>;
  /** Throws `ToolFailure`, nothing else. */
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
}
