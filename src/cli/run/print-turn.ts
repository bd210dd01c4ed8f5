/** A turn as a person reads it: the answer on stdout, what the agent does on stderr. */
import { hasPlayMoney } from "../../agents/play-money.ts";
import type { EventOf, SessionEvent } from "../../sdk/index.ts";
import { WordWrap, wrapText } from "../word-wrap.ts";
import { harmless, stylist } from "./style.ts";
import type { TerminalOutput } from "./terminal-output.ts";

/** What tells best what a tool is to do, by the names that agents have for it. */
const TELLING_FIELDS = ["command", "cmd", "filePath", "file_path", "path", "pattern", "query", "url"];

/** A longer diff is in the page, and in the log. */
const MAX_DIFF_LINES = 40;

const note = stylist(process.stderr);

export class TurnPrinter {
  readonly #output: TerminalOutput;
  /** Parts of the answer; what sub-agents say is theirs. */
  readonly #texts = new Set<string>();
  readonly #titles = new Map<string, string>();
  /** Calls of which only the tool's name is known. */
  readonly #untitled = new Set<string>();
  /** Changes that an ask has shown: they are not shown again when they are made. */
  readonly #shownChanges = new Set<string>();
  /** Whether a summary was begun: agents also tell, unasked, that none is needed. */
  #isCompacting = false;
  /** Whether it was said that this turn is tried again. */
  #isRetrying = false;
  /** Of the answer, at a terminal. */
  #wrap = new WordWrap();

  /** Whose turns are printed, once it is known. */
  agent: string | undefined;

  constructor(output: TerminalOutput) {
    this.#output = output;
  }

  /** @param isLive False for what happened before somebody looked. */
  print(event: SessionEvent, isLive = true): void {
    switch (event.type) {
      case "text.start":
        if (event.parent === undefined && event.task === undefined) this.#texts.add(event.part);
        return;
      case "text.delta":
        if (this.#texts.has(event.part)) this.#say(event.delta);
        return;
      case "text.end":
        if (this.#texts.has(event.part)) this.#endText();
        return;
      case "tool.start":
      case "tool.updated":
        if (event.title !== undefined || event.name !== undefined)
          this.#titles.set(event.call, event.title ?? this.#titles.get(event.call) ?? event.name ?? "");
        if (event.title === undefined && event.type === "tool.start") this.#untitled.add(event.call);
        else if (event.title !== undefined) this.#untitled.delete(event.call);
        return;
      case "tool.input":
        if (event.by !== undefined) return this.#printEditedInput(event);
        if (this.#untitled.delete(event.call)) this.#addInput(event);
        return this.note(`${note("cyan", "●")} ${this.#title(event.call)}`);
      case "tool.failed":
        return this.note(note("red", `✗ ${this.#title(event.call)}: ${firstLine(event.error)}`));
      case "tool.output":
        if (event.exitCode && !event.preliminary)
          this.note(note("red", `✗ ${this.#title(event.call)}: exit ${event.exitCode}`));
        return;
      case "tool.denied":
        return this.#printDenial(event);
      case "compaction.started":
        this.#isCompacting = true;
        return;
      case "compaction.ended":
        return this.#printCompaction(event);
      case "file.edited":
        return this.#printChange(event);
      case "notice":
        return this.#printNotice(event, isLive);
      case "content.discarded":
        for (const part of event.parts) this.#texts.delete(part);
        return this.note(note("dim", "(The agent takes back what it just said.)"));
      case "turn.ended":
        this.#shownChanges.clear();
        this.#isRetrying = false;
        return this.#printEnd(event);
    }
  }

  /** A line for the person, beside the answer. */
  note(text: string): void {
    this.#noteVerbatim(wrapText(text, columnsOf(process.stderr)));
  }

  /** What is printed next begins a line. */
  endLine(): void {
    this.#flush();
    this.#output.endLine(process.stderr);
  }

  #noteVerbatim(text: string): void {
    this.endLine();
    this.#output.write(process.stderr, `${text}\n`);
  }

  /** A file gets what was said, to the letter. */
  #say(text: string): void {
    const columns = columnsOf(process.stdout);
    if (columns === undefined) return this.#output.write(process.stdout, text);
    if (!this.#output.isInLine(process.stdout)) this.#wrap.lineEnded();
    this.#output.write(process.stdout, this.#wrap.push(harmless(text), columns));
  }

  /** The word that was kept back until its end is known. */
  #flush(): void {
    const columns = columnsOf(process.stdout);
    if (columns !== undefined) this.#output.write(process.stdout, this.#wrap.flush(columns));
  }

  #endText(): void {
    this.#flush();
    this.#wrap = new WordWrap();
    this.#output.endLine(process.stdout);
  }

  /** `bash: npm test`, for agents that give a title only later. */
  #addInput({ call, input }: EventOf<"tool.input">): void {
    const telling = tellingField(input);
    if (telling !== undefined) this.#titles.set(call, `${this.#titles.get(call)}: ${telling}`);
  }

  /** Its title still says what the agent wanted. */
  #printEditedInput({ call, input, by }: EventOf<"tool.input">): void {
    const shown = tellingField(input) ?? JSON.stringify(input);
    this.note(
      note("yellow", `● ${this.#title(call)}, edited by ${firstLine(by ?? "")}: ${firstLine(shown)}`),
    );
  }

  #title(call: string): string {
    return firstLine(this.#titles.get(call) ?? "a tool");
  }

  #printNotice({ level, code, text }: EventOf<"notice">, isLive: boolean): void {
    this.note(note(level === "error" ? "red" : "yellow", harmless(text)));
    if (code !== "retry" || this.#isRetrying || !isLive) return;
    this.#isRetrying = true;
    this.note(note("dim", "(It tries again by itself, for minutes if need be. Ctrl-C stops the turn.)"));
  }

  #printDenial({ call, reason = "" }: EventOf<"tool.denied">): void {
    const why = firstLine(reason);
    this.note(note("yellow", `✗ ${this.#title(call)}: not allowed${why === "" ? "" : ` (${why})`}`));
  }

  #printCompaction({ error, skipped, tokensBefore, tokensAfter }: EventOf<"compaction.ended">): void {
    const wasBegun = this.#isCompacting;
    this.#isCompacting = false;
    if (error !== undefined)
      return this.note(note("red", `The conversation was not summarised: ${firstLine(error)}`));
    if (skipped !== undefined) {
      if (wasBegun) this.note(note("dim", `(${firstLine(skipped)})`));
      return;
    }
    const both = tokensBefore !== undefined && tokensAfter !== undefined;
    const size = both ? ` It had ${tokensBefore} tokens and has ${tokensAfter} now.` : "";
    this.note(note("dim", `(The conversation was summarised.${size})`));
  }

  /** What somebody is asked to allow. */
  printAskedChange({ path, diff }: { path: string; diff?: string }): void {
    this.note(note("bold", harmless(path)));
    if (diff === undefined) return;
    this.#shownChanges.add(changeKey(path, diff));
    this.#printDiff(diff);
  }

  #printChange({ path, kind, diff }: EventOf<"file.edited">): void {
    this.note(note("bold", harmless(`${path} (${kind})`)));
    if (diff !== undefined && !this.#shownChanges.delete(changeKey(path, diff))) this.#printDiff(diff);
  }

  #printDiff(diff: string): void {
    const lines = harmless(diff).trimEnd().split("\n");
    for (const line of lines.slice(0, MAX_DIFF_LINES)) this.#noteVerbatim(coloured(line));
    if (lines.length > MAX_DIFF_LINES)
      this.note(note("dim", `… ${lines.length - MAX_DIFF_LINES} more lines`));
  }

  #printEnd({ outcome, error, model, usage, cost, durationMs, waitedMs = 0 }: EventOf<"turn.ended">): void {
    if (outcome !== "completed")
      this.note(note("red", harmless(error?.message ?? `The turn ended as ${outcome}.`)));
    if (error?.code === "agent_exited") this.note(note("dim", "(The next prompt starts the agent again.)"));
    const facts = [
      model && harmless(model),
      usage.input === undefined ? undefined : `${usage.input} in, ${usage.output ?? 0} out`,
      cost === undefined ? undefined : this.#costText(cost),
      `${((durationMs - waitedMs) / 1000).toFixed(1)} s`,
      // Less is not worth a word.
      waitedMs < 1000 ? undefined : `waited ${(waitedMs / 1000).toFixed(1)} s for you`,
    ];
    this.note(note("dim", facts.filter((fact) => fact !== undefined).join(" · ")));
  }

  #costText(cost: number): string {
    const isPlay = this.agent !== undefined && hasPlayMoney(this.agent);
    return `$${cost.toFixed(4)}${isPlay ? " play money" : ""}`;
  }
}

/** Undefined where nobody looks. */
function columnsOf(stream: NodeJS.WriteStream): number | undefined {
  return stream.isTTY ? stream.columns || undefined : undefined;
}

/** Agents name the files of a diff in their own way: only what it adds and removes counts. */
function changeKey(path: string, diff: string): string {
  const lines = diff.split("\n").filter((line) => /^[-+](?![-+]{2} )/.test(line));
  return `${path}\n${lines.join("\n")}`;
}

function coloured(line: string): string {
  if (line.startsWith("+")) return note("green", line);
  if (line.startsWith("-")) return note("red", line);
  return note("dim", line);
}

function tellingField(input: unknown): string | undefined {
  const fields = (typeof input === "object" && input !== null ? input : {}) as Record<string, unknown>;
  return TELLING_FIELDS.map((name) => fields[name]).find((value) => typeof value === "string");
}

function firstLine(text: string): string {
  return harmless(text.split("\n", 1)[0] ?? "");
}
