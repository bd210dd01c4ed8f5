/** How an ask is headed: one title that does not repeat what the card shows below it. Pure. */
import type { FileEdit } from "../chat/message-blocks.ts";
import { isWholeFile } from "../parts/parse-diff.ts";
import { folderName } from "../ui/format.ts";
import type { ShownAsk } from "./answers-props.ts";

export interface AskHeading {
  title: string;
  /** What the agent says about it, if the title and what is below do not say it. */
  description?: string;
}

const CHANGES: Readonly<Record<FileEdit["kind"], string>> = {
  created: "Create a file",
  changed: "Change a file",
  deleted: "Delete a file",
  moved: "Move a file",
};

/** What agents write before a command. */
const RUN = /^(?:(?:run|execute|bash|shell|command|terminal)(?: command)?)?:?$/i;

/** `command` is the one the card shows, if it is about one. */
export function askHeading(ask: ShownAsk, command: string | undefined): AskHeading {
  const { title, description } = ask;
  if (ask.kind !== "permission") {
    const isRepeated = ask.questions?.length === 1 && ask.questions[0]?.text === title;
    return isRepeated ? { title } : withDescription(title, description);
  }
  const changes = (ask.changes ?? []) as FileEdit[];
  if (changes.length > 0 && changes.some(({ path }) => title.includes(folderName(path)))) {
    return withDescription(changesTitle(changes), withoutPath(description, changes));
  }
  if (command !== undefined && isCommandTitle(title, command)) {
    return withDescription("Run a command", description === command ? undefined : description);
  }
  return withDescription(title, description);
}

/** The path of a file is shown with its diff. */
function withoutPath(description: string | undefined, changes: readonly FileEdit[]): string | undefined {
  const [first = "", ...others] = description?.split("\n") ?? [];
  return changes.some(({ path }) => path.endsWith(first)) ? others.join("\n") : description;
}

function withDescription(title: string, description: string | undefined): AskHeading {
  return description === undefined || description === "" || description === title
    ? { title }
    : { title, description };
}

function changesTitle(changes: readonly FileEdit[]): string {
  const [first] = changes;
  if (changes.length !== 1 || !first) return `Change ${changes.length} files`;
  return isWholeFile(first) ? "Write a file" : CHANGES[first.kind];
}

/** Whether a title says no more than the command. It may have been cut. */
function isCommandTitle(title: string, command: string): boolean {
  const [said, run] = [oneLine(title), oneLine(command)];
  const place = said.indexOf(run.slice(0, 24));
  return place >= 0 && RUN.test(said.slice(0, place).trim());
}

/** Of a very long text only the beginning counts. */
function oneLine(text: string): string {
  return text.slice(0, 2000).replace(/\s+/g, " ").trim();
}
