/** A tool as the loop uses it, wherever it comes from: the agent's own, one that asks a person, or one of an MCP server. */
import { z } from "zod";
import {
  type FileChange,
  type ModelTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "./tools/tool.ts";
import type { WebSettings } from "./tools/web/web-settings.ts";

export interface LoopTool {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  /** JSON schema of its input. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly permission: "none" | "edit" | "execute" | "fetch";
  /** Why it cannot be used, in a sentence. The model is not offered such a tool. */
  readonly unavailable?: string;
  /** The input as the tool takes it. Throws `ToolFailure`. */
  parse(input: unknown): unknown;
  title(input: unknown): string;
  preview?(input: unknown, context: ToolContext): Promise<readonly FileChange[]>;
  /** Throws `ToolFailure`. */
  run(input: unknown, context: ToolContext, call: string): Promise<ToolOutcome>;
}

/** Whether the model is told of it. */
export function isOffered({ unavailable }: LoopTool): boolean {
  return unavailable === undefined;
}

/** With a schema of zod, which also checks the input. */
export function parsedBy(schema: z.ZodType): Pick<LoopTool, "schema" | "parse"> {
  return {
    schema: z.toJSONSchema(schema, { io: "input" }),
    parse(input) {
      const read = schema.safeParse(input);
      if (read.success) return read.data;
      const problems = read.error.issues.map(({ path, message }) =>
        path.length === 0 ? message : `${path.join(".")}: ${message}`,
      );
      throw new ToolFailure("invalid_argument", `The arguments are wrong: ${problems.join("; ")}.`);
    },
  };
}

export function fromModelTool<Input>(tool: ModelTool<Input>, web?: WebSettings): LoopTool {
  const { name, kind, description, permission, input: schema } = tool;
  return {
    name,
    kind,
    description,
    permission,
    unavailable: web && tool.unavailable?.(web),
    ...parsedBy(schema),
    title: (input) => tool.title(input as Input),
    ...(tool.preview && { preview: (input: unknown, context) => tool.preview!(input as Input, context) }),
    run: (input, context) => tool.run(input as Input, context),
  };
}
