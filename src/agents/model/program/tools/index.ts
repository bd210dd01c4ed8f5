/** All tools of the model agent, in the order the model sees them. */
import { deleteFile } from "./delete-file.ts";
import { getToolResult } from "./get-tool-result.ts";
import { listFiles } from "./list-files.ts";
import { readFile } from "./read-file.ts";
import { replaceInFile } from "./replace-in-file.ts";
import { runCommand } from "./run-command.ts";
import { searchFiles } from "./search-files.ts";
import { setDialogTitle } from "./set-dialog-title.ts";
import type { ModelTool } from "./tool.ts";
import { updatePlan } from "./update-plan.ts";
import { webFetch } from "./web-fetch.ts";
import { webSearch } from "./web-search.ts";
import { writeToFile } from "./write-to-file.ts";

// biome-ignore lint/suspicious/noExplicitAny: each tool has an input of its own, checked by its schema.
export const TOOLS: readonly ModelTool<any>[] = [
  readFile,
  writeToFile,
  replaceInFile,
  deleteFile,
  listFiles,
  searchFiles,
  runCommand,
  webFetch,
  webSearch,
  getToolResult,
  setDialogTitle,
  updatePlan,
];
