/** The line a person types at, which stays below whatever is printed meanwhile. */
import { type Completer, createInterface, type Interface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { HistoryKeys, type Key } from "./history-keys.ts";
import { TerminalEcho } from "./terminal-echo.ts";

const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";
const ERASE_BELOW = "\r\u001b[J";
/** What stands before the further lines of what is typed: as readline has it where a prompt of several comes back. */
export const CONTINUATION = "| ";

export interface TerminalLineOptions {
  /** What stands before what is typed. */
  readonly prompt?: string;
  /** What was typed before, newest first. */
  readonly history?: readonly string[];
  readonly completer?: Completer;
  /** Called with all lines of what was typed, when it is not the answer to a question. */
  onText?(text: string): void;
  /** Called with what was typed, for the history. */
  onHistory?(text: string): void;
  /** Ctrl-C. */
  onInterrupt(): void;
  /** Ctrl-D, or the terminal is gone. */
  onEnd(): void;
}

interface Question {
  answer(text: string): void;
  readonly isSecret: boolean;
}

/** What readline lets others change, though its types do not say so. */
type Editor = Omit<Interface, "line" | "cursor"> & {
  line: string;
  cursor: number;
  prevRows?: number;
  /** Takes a key. */
  _ttyWrite(text: string | undefined, key: Key | undefined): void;
};

/** Reads from stdin and draws on stderr, so that stdout can be a file. */
export class TerminalLine {
  readonly #options: TerminalLineOptions;
  readonly #readline: Editor;
  /** What readline itself does with a key. */
  readonly #edit: Editor["_ttyWrite"];
  readonly #history: HistoryKeys;
  readonly #echo = new TerminalEcho();
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
    const { prompt = "> ", history = [], completer } = options;
    this.#readline = createInterface({
      input: process.stdin,
      output: this.#echo,
      terminal: true,
      prompt,
      completer,
      // It would keep lines, not prompts of several.
      historySize: 0,
    }) as unknown as Editor;
    this.#history = new HistoryKeys(this.#edited(), history);
    this.#edit = this.#readline._ttyWrite.bind(this.#readline);
    this.#readline._ttyWrite = (text, key) => {
      const isTaken = !this.#question && !this.#isPasting && this.#history.take(text, key ?? {});
      if (!isTaken) this.#edit(text, key);
    };
    this.#readline.on("line", (line) => this.#take(line));
    this.#readline.on("SIGINT", () => options.onInterrupt());
    this.#readline.on("close", () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      options.onEnd();
    });
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
    this.#history.end();
    const before = { text: this.text, lines: this.#lines, prompt: this.#readline.getPrompt() };
    this.#replace("", prompt);
    this.#lines = [];
    this.#echo.isMuted = isSecret;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.#question = undefined;
      this.#echo.isMuted = false;
      this.#lines = before.lines;
      this.#replace(before.text, before.prompt);
      this.#settle();
    };
    try {
      return await new Promise((resolve, reject) => {
        this.#question = { answer: resolve, isSecret };
        const abort = () => {
          // At once, so that what is printed next stands below no question.
          end();
          reject(signal.reason);
        };
        signal.addEventListener("abort", abort, { once: true });
        this.#show();
      });
    } finally {
      end();
    }
  }

  /** Forgets what was typed. False when nothing was. */
  clear(): boolean {
    if (this.text === "" && this.#lines.length === 0) return false;
    this.#lines = [];
    this.#history.end();
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
    if (key?.name === "paste-start") {
      this.#history.end();
      this.#isPasting = true;
    }
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
    if (question?.isSecret) process.stderr.write("\n");
    // A secret may end with any character.
    const hasBackslash = !this.#isPasting && !question?.isSecret && line.endsWith("\\");
    this.#lines.push(hasBackslash ? line.slice(0, -1) : line);
    if (hasBackslash || this.#isPasting) {
      this.#readline.setPrompt(CONTINUATION);
      return this.#show();
    }
    const text = this.#lines.join("\n");
    this.#lines = [];
    if (question) return question.answer(text);
    this.#readline.setPrompt(this.#options.prompt ?? "> ");
    this.#history.add(text);
    this.#options.onHistory?.(text);
    this.#options.onText?.(text);
    this.#settle();
  }

  /** As the keys of the history see it. */
  #edited() {
    const usual = () => (this.#lines.length > 0 ? CONTINUATION : (this.#options.prompt ?? "> "));
    const line = () => this.text;
    return {
      get text() {
        return line();
      },
      replace: (text: string, prompt = usual()) => {
        this.#replace(text, prompt);
        this.#show();
      },
    };
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
    this.#readline.setPrompt(prompt);
    this.#readline.line = text;
    this.#readline.cursor = text.length;
    const isMuted = this.#echo.isMuted;
    this.#echo.isMuted = true;
    // Nothing follows the cursor. This makes it look whether there are several lines.
    this.#edit(undefined, { name: "k", ctrl: true });
    this.#echo.isMuted = isMuted;
  }
}
