/** The line a person types at, which stays below whatever is printed meanwhile. */
import { type Completer, createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";
const ERASE_BELOW = "\r\u001b[J";

export interface TerminalLineOptions {
  /** What stands before what is typed. */
  readonly prompt?: string;
  /** What stands before the further lines of what is typed. */
  readonly continuation?: string;
  /** Newest first. */
  readonly history?: string[];
  readonly completer?: Completer;
  /** Called with all lines of what was typed, when it is not the answer to a question. */
  onText?(text: string): void;
  /** Called with each line for the history. */
  onHistory?(line: string): void;
  /** Ctrl-C. */
  onInterrupt(): void;
  /** Ctrl-D, or the terminal is gone. */
  onEnd(): void;
}

interface Question {
  answer(text: string): void;
  readonly isSecret: boolean;
}

/** Reads from stdin and draws on stderr, so that stdout can be a file. */
export class TerminalLine {
  readonly #options: TerminalLineOptions;
  readonly #readline: Interface & { prevRows?: number };
  readonly #echo = new Echo();
  #isShown = false;
  /** Whether it is shown while nothing is typed. */
  #isWanted = false;
  /** Whether the last thing above it is a line without its end. */
  #isAfterText = false;
  /** The beginning of a line that is still to come: lines are printed whole while the line is shown. */
  #held: { stream: NodeJS.WriteStream; text: string } | undefined;
  /** Lines before this one: pasted, or ended by a backslash. */
  #lines: string[] = [];
  #isPasting = false;
  #isClosed = false;
  #question: Question | undefined;

  constructor(options: TerminalLineOptions) {
    this.#options = options;
    const { prompt = "> ", history, completer } = options;
    const size = { history, historySize: history ? MAX_HISTORY_LINES : 0, removeHistoryDuplicates: true };
    this.#readline = createInterface({
      input: process.stdin,
      output: this.#echo,
      terminal: true,
      prompt,
      completer,
      ...size,
    });
    this.#readline.on("line", (line) => this.#take(line));
    this.#readline.on("SIGINT", () => options.onInterrupt());
    this.#readline.on("close", () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      options.onEnd();
    });
    this.#readline.on("history", (lines) => this.#remember(lines));
    process.stdin.prependListener("keypress", this.#beforeKey);
    process.stdin.on("keypress", this.#afterKey);
    process.stderr.on("resize", this.#resize);
    process.stderr.write(PASTE_ON);
  }

  get text(): string {
    return this.#readline.line;
  }

  /** Whether the last thing that was printed has no line break. */
  get isInLine(): boolean {
    return this.#isShown ? this.#held !== undefined : this.#isAfterText;
  }

  /** Whether it is shown while nothing is typed. Once something is, it always is. */
  want(isWanted: boolean): void {
    this.#isWanted = isWanted;
    this.#settle();
  }

  /** Above the line, where it is shown. */
  print(stream: NodeJS.WriteStream, text: string): void {
    if (!stream.isTTY) stream.write(text);
    else if (this.#isShown) this.#printAbove(stream, text);
    else this.#write(stream, text);
  }

  /** Takes the line for one answer; what was typed before comes back afterwards. */
  async ask(prompt: string, signal: AbortSignal, isSecret = false): Promise<string> {
    signal.throwIfAborted();
    const before = { text: this.text, lines: this.#lines, prompt: this.#readline.getPrompt() };
    this.#replace("", prompt);
    this.#lines = [];
    this.#echo.isMuted = isSecret;
    try {
      return await new Promise((resolve, reject) => {
        this.#question = { answer: resolve, isSecret };
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        this.#show();
      });
    } finally {
      this.#question = undefined;
      this.#echo.isMuted = false;
      this.#lines = before.lines;
      this.#replace(before.text, before.prompt);
      this.#settle();
    }
  }

  /** Forgets what was typed. False when nothing was. */
  clear(): boolean {
    if (this.text === "" && this.#lines.length === 0) return false;
    this.#lines = [];
    this.#replace("", this.#options.prompt ?? "> ");
    this.#settle();
    return true;
  }

  close(): void {
    process.stdin.off("keypress", this.#beforeKey);
    process.stdin.off("keypress", this.#afterKey);
    process.stderr.off("resize", this.#resize);
    this.#hide();
    this.#isClosed = true;
    this.#readline.close();
    process.stderr.write(PASTE_OFF);
  }

  /** Before the key is put into the line, which is then in sight. */
  readonly #beforeKey = (_: string | undefined, key: Key | undefined) => {
    if (key?.name === "paste-start") this.#isPasting = true;
    if (key?.name === "paste-end") this.#isPasting = false;
    const isLeaving = key?.ctrl && (key.name === "c" || key.name === "d");
    if (!isLeaving) this.#show();
  };

  readonly #afterKey = () => this.#settle();

  /** The terminal has wrapped the line anew. */
  readonly #resize = () => {
    if (!this.#isShown) return;
    this.#erase();
    this.#draw();
  };

  #take(line: string): void {
    // Readline has ended the line.
    this.#isShown = false;
    this.#isAfterText = false;
    this.#flush();
    const question = this.#question;
    if (question) {
      if (question.isSecret) process.stderr.write("\n");
      return question.answer(line);
    }
    const isContinued = this.#isPasting || line.endsWith("\\");
    this.#lines.push(isContinued && !this.#isPasting ? line.slice(0, -1) : line);
    const { prompt = "> ", continuation = prompt } = this.#options;
    this.#readline.setPrompt(isContinued ? continuation : prompt);
    if (isContinued) return this.#show();
    const text = this.#lines.join("\n");
    this.#lines = [];
    this.#options.onText?.(text);
    this.#settle();
  }

  /** Answers are nobody's history. */
  #remember(lines: string[]): void {
    if (this.#question) lines.shift();
    else if (lines[0] !== undefined) this.#options.onHistory?.(lines[0]);
  }

  #settle(): void {
    const isNeeded = this.#question !== undefined || this.text !== "" || this.#lines.length > 0;
    if (this.#isWanted || isNeeded) this.#show();
    else this.#hide();
  }

  #show(): void {
    if (this.#isShown || this.#isClosed) return;
    if (this.#isAfterText) this.#write(process.stderr, "\n");
    this.#isShown = true;
    this.#draw();
  }

  #hide(): void {
    if (this.#isShown) this.#erase();
    this.#isShown = false;
    this.#flush();
  }

  #draw(): void {
    if (this.#isClosed) return;
    if (this.#echo.isMuted) process.stderr.write(this.#readline.getPrompt());
    // Where the cursor is, the line begins: readline would go up to where it began last.
    this.#readline.prevRows = 0;
    this.#readline.prompt(true);
  }

  #erase(): void {
    const rows = this.#echo.isMuted ? 0 : this.#readline.getCursorPos().rows;
    process.stderr.write(`${rows > 0 ? `\u001b[${rows}A` : ""}${ERASE_BELOW}`);
  }

  #printAbove(stream: NodeJS.WriteStream, text: string): void {
    if (this.#held && this.#held.stream !== stream) this.#held.text += "\n";
    const all = (this.#held?.text ?? "") + text;
    const end = all.lastIndexOf("\n") + 1;
    this.#held = end < all.length ? { stream, text: all.slice(end) } : undefined;
    if (end === 0) return;
    this.#erase();
    this.#write(stream, all.slice(0, end));
    this.#draw();
  }

  #flush(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#write(held.stream, held.text);
  }

  #write(stream: NodeJS.WriteStream, text: string): void {
    stream.write(text);
    const visible = stripVTControlCharacters(text);
    if (visible !== "") this.#isAfterText = !visible.endsWith("\n");
  }

  #replace(text: string, prompt: string): void {
    if (this.#isClosed) return;
    if (this.#isShown) this.#erase();
    this.#isShown = false;
    const isMuted = this.#echo.isMuted;
    this.#echo.isMuted = true;
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
    this.#readline.setPrompt(prompt);
    if (text !== "") this.#readline.write(text);
    this.#echo.isMuted = isMuted;
  }
}

const MAX_HISTORY_LINES = 1000;

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

/** What readline draws on: the terminal, unless what is typed is secret. */
class Echo extends Writable {
  isMuted = false;

  get columns(): number {
    return process.stderr.columns;
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    if (!this.isMuted) process.stderr.write(chunk);
    done();
  }
}
