/** What each command does, by its name. */
import type { CommandName } from "../../protocol/commands/index.ts";
import { agents } from "./agents.ts";
import { asks } from "./asks.ts";
import type { Implementations } from "./command-parts.ts";
import { prompts } from "./prompts.ts";
import { queue } from "./queue.ts";
import { sessions } from "./sessions.ts";
import { tasks } from "./tasks.ts";
import { workspace } from "./workspace.ts";

export const implementations: Implementations<CommandName> = {
  ...sessions,
  ...prompts,
  ...queue,
  ...asks,
  ...tasks,
  ...workspace,
  ...agents,
};
