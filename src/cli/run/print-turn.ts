/** A turn as a person reads it: the answer on stdout, what the agent does on stderr. */
import type { EventOf, SessionEvent } from "../../sdk/index.ts";
import { harmless, stylist } from "./style.ts";
import type { TerminalOutput } from "./terminal-output.ts";

/** A longer diff is in the page, and in the log. */
const MAX_DIFF_LINES = 40;

const note = stylist(process.stderr);

export class TurnPrinter {
  readonly #output: TerminalOutput;
  /** Parts of the answer; what sub-agents say is theirs. */
  readonly #texts = new Set<string>();
  readonly #titles = new Map<string, string>();

  constructor(output: TerminalOutput) {
    this.#output = output;
  }

  print(event: SessionEvent): void {
    switch (event.type) {
      case "text.start":
        if (event.parent === undefined && event.task === undefined) this.#texts.add(event.part);
        return;
      case "text.delta":
        if (this.#texts.has(event.part)) this.#say(event.delta);
        return;
      case "text.end":
        if (this.#texts.has(event.part)) this.#output.endLine(process.stdout);
        return;
      case "tool.start":
      case "tool.updated":
        if (event.title !== undefined || event.name !== undefined)
          this.#titles.set(event.call, event.title ?? this.#titles.get(event.call) ?? event.name ?? "");
        return;
      case "tool.input":
        return this.note(`${note("cyan", "●")} ${this.#title(event.call)}`);
      case "tool.failed":
        return this.note(note("red", `✗ ${this.#title(event.call)}: ${firstLine(event.error)}`));
      case "tool.denied":
        return this.note(note("yellow", `✗ ${this.#title(event.call)}: not allowed`));
      case "file.edited":
        return this.#printChange(event);
      case "notice":
        return this.note(note(event.level === "error" ? "red" : "yellow", harmless(event.text)));
      case "content.discarded":
        for (const part of event.parts) this.#texts.delete(part);
        return this.note(note("dim", "(The agent takes back what it just said.)"));
      case "turn.ended":
        return this.#printEnd(event);
    }
  }

  /** A line for the person, beside the answer. */
  note(text: string): void {
    this.#output.endLine(process.stderr);
    this.#output.write(process.stderr, `${text}\n`);
  }

  /** A file gets what was said, to the letter. */
  #say(text: string): void {
    this.#output.write(process.stdout, process.stdout.isTTY ? harmless(text) : text);
  }

  #title(call: string): string {
    return firstLine(this.#titles.get(call) ?? "a tool");
  }

  #printChange({ path, kind, diff }: EventOf<"file.edited">): void {
    this.note(note("bold", harmless(`${path} (${kind})`)));
    if (diff !== undefined) this.printDiff(diff);
  }

  printDiff(diff: string): void {
    const lines = harmless(diff).trimEnd().split("\n");
    for (const line of lines.slice(0, MAX_DIFF_LINES)) this.note(coloured(line));
    if (lines.length > MAX_DIFF_LINES)
      this.note(note("dim", `… ${lines.length - MAX_DIFF_LINES} more lines`));
  }

  #printEnd({ outcome, error, model, usage, cost, durationMs }: EventOf<"turn.ended">): void {
    if (outcome !== "completed")
      this.note(note("red", harmless(error?.message ?? `The turn ended as ${outcome}.`)));
    const facts = [
      model && harmless(model),
      usage.input === undefined ? undefined : `${usage.input} in, ${usage.output ?? 0} out`,
      cost === undefined ? undefined : `$${cost.toFixed(4)}`,
      `${(durationMs / 1000).toFixed(1)} s`,
    ];
    this.note(note("dim", facts.filter((fact) => fact !== undefined).join(" · ")));
  }
}

function coloured(line: string): string {
  if (line.startsWith("+")) return note("green", line);
  if (line.startsWith("-")) return note("red", line);
  return note("dim", line);
}

function firstLine(text: string): string {
  return harmless(text.split("\n", 1)[0] ?? "");
}
