/** All tools of the model agent, in the order the model sees them. */
import { getToolResult } from "./get-tool-result.ts";
import { setDialogTitle } from "./set-dialog-title.ts";
import type { ModelTool } from "./tool.ts";
import { updatePlan } from "./update-plan.ts";

// biome-ignore lint/suspicious/noExplicitAny: each tool has an input of its own, checked by its schema.
export const TOOLS: readonly ModelTool<any>[] = [getToolResult, setDialogTitle, updatePlan];
