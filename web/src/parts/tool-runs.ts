/** Calls that follow one another and are over become one run, so that a long turn reads as what was said in it. Pure. */
import type { Block, ToolBlock } from "../chat/message-blocks.ts";
import { isDenied, isStoppedCommand, whyUnfinished } from "./tool-ending.ts";

export interface ToolRun {
  kind: "run";
  key: string;
  /** Calls, and what was thought between them. */
  blocks: Block[];
}

/** Fewer calls stay as they are. */
const FEWEST = 3;

/** `isLive`: whether more may come; then the newest call stays in sight. */
export function toolRuns(blocks: readonly Block[], isLive: boolean): (Block | ToolRun)[] {
  const result: (Block | ToolRun)[] = [];
  let at = 0;
  while (at < blocks.length) {
    let end = runEnd(blocks, at);
    if (isLive && end === blocks.length) end = lastCall(blocks, at, end);
    const run = blocks.slice(at, end);
    if (run.filter(({ kind }) => kind === "tool").length >= FEWEST) {
      result.push({ kind: "run", key: `run-${run[0]!.key}`, blocks: run });
      at = end;
    } else {
      result.push(blocks[at]!);
      at += 1;
    }
  }
  return result;
}

/** Behind the last call of the run that begins here. */
function runEnd(blocks: readonly Block[], start: number): number {
  let end = start;
  for (let at = start; at < blocks.length; at += 1) {
    const block = blocks[at]!;
    if (block.kind === "tool" && isOver(block)) end = at + 1;
    else if (at === start || block.kind !== "reasoning" || block.isStreaming) break;
  }
  return end;
}

/** Without the newest call and what was thought before it. */
function lastCall(blocks: readonly Block[], start: number, end: number): number {
  let before = end - 1;
  while (before > start && blocks[before - 1]!.kind !== "tool") before -= 1;
  return before;
}

/** What a person decided or answered stays in sight, and so does what another agent did. */
function isOver(tool: ToolBlock): boolean {
  if (tool.children.length > 0 || tool.isPreliminary || tool.result?.running) return false;
  if (
    isDenied(tool) ||
    tool.asks.some(({ kind, state, answer }) => kind !== "permission" || (state === "open" && !answer))
  )
    return false;
  return tool.state === "output-available" || tool.state === "output-error";
}

const WORDS: Readonly<Record<string, (count: number) => string>> = {
  read: (count) => `read ${count === 1 ? "a file" : `${count} files`}`,
  edit: (count) => `edited ${count === 1 ? "a file" : `${count} files`}`,
  execute: (count) => `ran ${count === 1 ? "a command" : `${count} commands`}`,
  search: (count) => (count === 1 ? "searched" : `searched ${count} times`),
  fetch: (count) => `opened ${count === 1 ? "a page" : `${count} pages`}`,
  other: (count) => `used ${count === 1 ? "a tool" : `${count} tools`}`,
};

export interface RunSummary {
  /** For example "Read 6 files, ran 2 commands". */
  text: string;
  failed: number;
}

export function summarizeRun(blocks: readonly Block[]): RunSummary {
  const counts = new Map<string, number>();
  let failed = 0;
  for (const block of blocks) {
    if (block.kind !== "tool") continue;
    const kind = Object.hasOwn(WORDS, block.purpose ?? "") ? block.purpose! : "other";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (
      (block.state === "output-error" && !whyUnfinished(block)) ||
      (block.result?.exitCode && !isStoppedCommand(block))
    )
      failed += 1;
  }
  const text = [...counts].map(([kind, count]) => WORDS[kind]!(count)).join(", ");
  return { text: text.charAt(0).toUpperCase() + text.slice(1), failed };
}
