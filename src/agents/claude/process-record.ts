/** What the start of the process tells: the conversation it takes up, and a prompt given on the command line. */
import type { ProcessRecord } from "../../core/raw-record.ts";

/** The words of the command, however the record was made: ours lists the arguments, a recording has one text. */
export function commandLine({ command, args }: ProcessRecord): readonly string[] {
  const words = typeof command === "string" ? splitWords(command) : [];
  return Array.isArray(args) ? [...words, ...args.map(String)] : words;
}

/** The conversation that keeps its id; a fork gets a new one. */
export function resumedConversation(words: readonly string[]): string | undefined {
  return words.includes("--fork-session") ? undefined : optionValue(words, "--resume");
}

/** Where no prompts are read from its input, the last word in quotes is one. */
export function promptOnCommandLine(record: ProcessRecord): string | undefined {
  const { command } = record;
  if (typeof command !== "string" || /--input-format[ =]stream-json/.test(command)) return undefined;
  return /'([^']*)'$/.exec(command)?.[1];
}

function optionValue(words: readonly string[], option: string): string | undefined {
  const joined = words.find((word) => word.startsWith(`${option}=`));
  if (joined !== undefined) return joined.slice(option.length + 1);
  const at = words.indexOf(option);
  return at < 0 ? undefined : words[at + 1];
}

/** As a shell would, for what a recording can contain: plain words, and words in single quotes. */
function splitWords(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}
