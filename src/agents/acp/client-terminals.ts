/** Commands an agent runs through its client. Their processes belong to the session and end with it. */
import { isAbsolute } from "node:path";
import { readableText } from "../../process/line-splitter.ts";
import type { AgentExit, AgentProcess, ProcessHost } from "../../process/process-host.ts";
import type { RpcParams } from "../transport/json-rpc.ts";
import { objectsOf } from "./untyped.ts";

/** The upper limit of a command's output that is kept, and the default. */
const OUTPUT_LIMIT = 1024 * 1024;

/** Commands that run at once. */
const MAX_RUNNING = 32;

/** Terminals whose output is kept, those that have ended included. */
const MAX_KEPT = 64;

export interface ClientTerminalsOptions {
  readonly processHost: ProcessHost;
  readonly sessionId: string;
  readonly cwd: string;
}

interface Terminal {
  readonly process: AgentProcess;
  readonly output: OutputTail;
  exit?: AgentExit;
  readonly finished: Promise<AgentExit>;
}

export class ClientTerminals {
  readonly #options: ClientTerminalsOptions;
  /** Also those that were released: some agents look at them once more. */
  readonly #terminals = new Map<string, Terminal>();
  #created = 0;
  #starting = 0;

  constructor(options: ClientTerminalsOptions) {
    this.#options = options;
  }

  async create({ command, args, env, cwd, outputByteLimit }: RpcParams): Promise<object> {
    if (typeof command !== "string") throw new Error("there is no command");
    const running = [...this.#terminals.values()].filter(({ exit }) => !exit).length + this.#starting;
    if (running >= MAX_RUNNING)
      throw new Error(`${MAX_RUNNING} commands run already; wait for one of them, or end it`);
    const given = Array.isArray(args) ? args.map(String) : [];
    const variables = objectsOf(env).map(({ name, value }) => [String(name), String(value)]);
    const limit = outputLimit(outputByteLimit);
    this.#starting += 1;
    const spawning = this.#options.processHost.spawn({
      // Without arguments it is a whole shell command. Stderr goes to the same output.
      command: "/bin/sh",
      args:
        given.length > 0 ? ["-c", 'exec "$0" "$@" 2>&1', command, ...given] : ["-c", `{ ${command}\n} 2>&1`],
      cwd: typeof cwd === "string" && isAbsolute(cwd) ? cwd : this.#options.cwd,
      sessionId: this.#options.sessionId,
      isCommand: true,
      environment: Object.fromEntries(variables),
      maxLineBytes: OUTPUT_LIMIT,
    });
    const child = await spawning.finally(() => {
      this.#starting -= 1;
    });
    child.closeInput();
    this.#created += 1;
    const id = `terminal-${this.#created}`;
    this.#terminals.set(id, follow(child, limit));
    this.#forgetEnded();
    return { terminalId: id };
  }

  /** The oldest go first. */
  #forgetEnded(): void {
    for (const [id, { exit }] of this.#terminals) {
      if (this.#terminals.size <= MAX_KEPT) return;
      if (exit) this.#terminals.delete(id);
    }
  }

  output(params: RpcParams): object {
    const { output, exit } = this.#find(params);
    return { ...output.read(), ...(exit && { exitStatus: exitStatus(exit) }) };
  }

  async waitForExit(params: RpcParams): Promise<object> {
    return exitStatus(await this.#find(params).finished);
  }

  /** Also for a terminal that has exited: some agents make sure. */
  async kill(params: RpcParams): Promise<object> {
    await this.#find(params).process.end();
    return {};
  }

  async close(): Promise<void> {
    await Promise.all([...this.#terminals.values()].map(({ process }) => process.end()));
  }

  #find({ terminalId }: RpcParams): Terminal {
    const terminal = this.#terminals.get(String(terminalId));
    if (terminal) return terminal;
    throw new Error(`there is no terminal "${String(terminalId)}"`);
  }
}

function outputLimit(given: unknown): number {
  return typeof given === "number" && given >= 0 ? Math.min(Math.floor(given), OUTPUT_LIMIT) : OUTPUT_LIMIT;
}

function follow(process: AgentProcess, limit: number): Terminal {
  const read = async (): Promise<AgentExit> => {
    for await (const line of process.lines)
      terminal.output.append(`${readableText(line)}\n`, line.kind === "overlong");
    terminal.exit = await process.exited;
    return terminal.exit;
  };
  const terminal: Terminal = {
    process,
    output: new OutputTail(limit),
    // Deferred until `terminal` is assigned.
    finished: Promise.resolve().then(read),
  };
  return terminal;
}

/** The end of the output is what matters; the beginning goes. */
class OutputTail {
  readonly #limit: number;
  #text = "";
  #isCut = false;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  append(text: string, isCut: boolean): void {
    this.#text += text;
    this.#isCut ||= isCut;
    // Rarely: it copies the text.
    if (this.#text.length > 2 * this.#limit) this.#cut();
  }

  read(): { output: string; truncated: boolean } {
    this.#cut();
    return { output: this.#text, truncated: this.#isCut };
  }

  #cut(): void {
    const bytes = Buffer.from(this.#text);
    if (bytes.length <= this.#limit) return;
    let start = bytes.length - this.#limit;
    // Where the cut falls inside a character, begin with the next one.
    while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start += 1;
    this.#text = bytes.toString("utf8", start);
    this.#isCut = true;
  }
}

function exitStatus({ code, signal }: AgentExit): object {
  return { exitCode: code, signal };
}
