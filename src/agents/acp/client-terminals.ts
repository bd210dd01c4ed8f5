/** Commands an agent runs through its client. Their processes belong to the session and end with it. */
import { isAbsolute } from "node:path";
import { readableText } from "../../process/line-splitter.ts";
import type { AgentExit, AgentProcess, ProcessHost } from "../../process/process-host.ts";
import type { RpcParams } from "../transport/json-rpc.ts";
import { objectsOf } from "./loose.ts";

/** What of a command's output is kept where the agent does not say. */
const OUTPUT_LIMIT = 1024 * 1024;

export interface ClientTerminalsOptions {
  readonly processHost: ProcessHost;
  readonly sessionId: string;
  readonly cwd: string;
}

interface Terminal {
  readonly process: AgentProcess;
  readonly limit: number;
  output: string;
  truncated: boolean;
  exit?: AgentExit;
  readonly finished: Promise<AgentExit>;
}

export class ClientTerminals {
  readonly #options: ClientTerminalsOptions;
  /** Also those that were released: some agents look at them once more. */
  readonly #terminals = new Map<string, Terminal>();

  constructor(options: ClientTerminalsOptions) {
    this.#options = options;
  }

  async create({ command, args, env, cwd, outputByteLimit }: RpcParams): Promise<object> {
    if (typeof command !== "string") throw new Error("there is no command");
    const given = Array.isArray(args) ? args.map(String) : [];
    const variables = objectsOf(env).map(({ name, value }) => [String(name), String(value)]);
    const child = await this.#options.processHost.spawn({
      // Without arguments it is a whole line for a shell. What goes to stderr belongs into the same output.
      command: "/bin/sh",
      args:
        given.length > 0 ? ["-c", 'exec "$0" "$@" 2>&1', command, ...given] : ["-c", `{ ${command}\n} 2>&1`],
      cwd: typeof cwd === "string" && isAbsolute(cwd) ? cwd : this.#options.cwd,
      sessionId: this.#options.sessionId,
      environment: Object.fromEntries(variables),
    });
    child.closeInput();
    const id = `terminal-${this.#terminals.size + 1}`;
    const limit = typeof outputByteLimit === "number" ? outputByteLimit : OUTPUT_LIMIT;
    this.#terminals.set(id, follow(child, limit));
    return { terminalId: id };
  }

  output(params: RpcParams): object {
    const { output, truncated, exit } = this.#find(params);
    return { output, truncated, ...(exit && { exitStatus: exitStatus(exit) }) };
  }

  async waitForExit(params: RpcParams): Promise<object> {
    return exitStatus(await this.#find(params).finished);
  }

  /** Also for one that is gone: some agents make sure. */
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

function follow(process: AgentProcess, limit: number): Terminal {
  const read = async (): Promise<AgentExit> => {
    for await (const line of process.lines) append(terminal, `${readableText(line)}\n`);
    terminal.exit = await process.exited;
    return terminal.exit;
  };
  const terminal: Terminal = {
    process,
    limit,
    output: "",
    truncated: false,
    // Begun when the terminal is there to be written to.
    finished: Promise.resolve().then(read),
  };
  return terminal;
}

/** The end of the output is what matters; the beginning goes. */
function append(terminal: Terminal, text: string): void {
  const whole = terminal.output + text;
  terminal.truncated ||= whole.length > terminal.limit;
  terminal.output = whole.length > terminal.limit ? whole.slice(-terminal.limit) : whole;
}

function exitStatus({ code, signal }: AgentExit): object {
  return { exitCode: code, signal };
}
