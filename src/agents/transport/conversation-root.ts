/** Where an agent keeps its files: by its environment as its process has it. */
import { join } from "node:path";
import type { Conversation } from "../../core/adapter-memory.ts";

export interface RootOptions {
  /** The variable that names the directory itself. */
  readonly variable?: string;
  /** Where it is below the home directory otherwise. */
  readonly home: string;
}

/** Undefined where the environment does not say it. */
export function conversationRoot(
  environment: NodeJS.ProcessEnv,
  conversation: Conversation,
  { variable, home }: RootOptions,
): string | undefined {
  const variables = { ...environment, ...conversation.environment };
  const named = variable === undefined ? undefined : variables[variable];
  if (named) return named;
  return variables.HOME ? join(variables.HOME, home) : undefined;
}
