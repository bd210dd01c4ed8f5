/** Finds out which script a request is about. */
import type { ModelRequest } from "./model-api.ts";

export interface ScriptChoice {
  /** Name of the script. */
  readonly script: string;
  readonly argument?: string;
  /** Which of its replies, from 0. */
  readonly step: number;
}

/** Undefined: the request is about none, and gets the fallback. */
export type ChooseScript = (request: ModelRequest) => ScriptChoice | undefined;

const TAG = /\[\[([\w-]+)(?::([^\]]*))?\]\]/g;

/**
 * The usual way: the last `[[name]]` or `[[name:argument]]` of the newest user text that has one names the script,
 * and the answers given since count its steps. What agents add behind that text does not matter.
 *
 * @example
 * // Prompt: "Rename it, please. [[rename]]"
 * const model = await startScriptedModel({ scripts: { rename: [[toolCall("Bash", { command: "mv a b" })], [text("Done.")]] } });
 */
export function chooseByTag({ messages }: ModelRequest): ScriptChoice | undefined {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const { role, text } = messages[index]!;
    const tag = role === "user" ? [...text.matchAll(TAG)].at(-1) : undefined;
    if (!tag) continue;
    const step = messages.slice(index + 1).filter((message) => message.role === "assistant").length;
    return { script: tag[1]!, argument: tag[2], step };
  }
  return undefined;
}
