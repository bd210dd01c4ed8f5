/** Files and terminals that an agent uses through its client, where the session allows it. */
import type { RpcRequest } from "../transport/json-rpc.ts";
import { errorLine, resultLine } from "../transport/json-rpc-lines.ts";
import { readTextFile, writeTextFile } from "./client-files.ts";
import { ClientTerminals, type ClientTerminalsOptions } from "./client-terminals.ts";
import type { AcpState } from "./conversation-state.ts";
import type { AcpOptions } from "./options.ts";
import { AGENT_METHOD, ERROR_CODE, isClientMethod } from "./wire.ts";

const MAX_WAITING_FILES = 32;

export class ClientServices {
  readonly #cwd: string;
  readonly #terminals: ClientTerminals | undefined;
  readonly #allowsFiles: boolean;
  /** One file at a time: a file system that hangs takes one thread of ours, and not all of them. */
  #files: Promise<unknown> = Promise.resolve();
  #waitingFiles = 0;
  /** Requests that are being worked on. */
  readonly #begun = new Set<string>();

  constructor({ files = false, terminals = false }: AcpOptions, options: ClientTerminalsOptions) {
    this.#cwd = options.cwd;
    this.#allowsFiles = files;
    this.#terminals = terminals ? new ClientTerminals(options) : undefined;
  }

  /** Starts requests that are allowed. The encoder refuses the others. */
  serve({ rpc }: AcpState, send: (lines: readonly string[]) => void): void {
    if (rpc.asked.size === 0) return;
    for (const [name, request] of rpc.asked) {
      if (!isClientMethod(request.method) || this.#begun.has(name)) continue;
      const work = this.#perform(request);
      if (work === undefined) continue;
      this.#begun.add(name);
      work
        .then(
          (result) => resultLine(request.id, result),
          (error: Error) => errorLine(request.id, { code: ERROR_CODE.internal, message: error.message }),
        )
        .then((line) => {
          this.#begun.delete(name);
          send([line]);
        });
    }
  }

  async close(): Promise<void> {
    await this.#terminals?.close();
  }

  #perform({ method, params }: RpcRequest): Promise<object> | undefined {
    const terminals = this.#terminals;
    switch (method) {
      case AGENT_METHOD.readTextFile:
        return this.#inTurn(() => readTextFile(this.#cwd, params));
      case AGENT_METHOD.writeTextFile:
        return this.#inTurn(() => writeTextFile(this.#cwd, params));
      case AGENT_METHOD.createTerminal:
        return terminals?.create(params);
      case AGENT_METHOD.terminalOutput:
        return terminals && asPromise(() => terminals.output(params));
      case AGENT_METHOD.waitForTerminalExit:
        return terminals?.waitForExit(params);
      case AGENT_METHOD.killTerminal:
      case AGENT_METHOD.releaseTerminal:
        return terminals?.kill(params);
      default:
        return undefined;
    }
  }

  /** Undefined where files are not allowed. */
  #inTurn(work: () => Promise<object>): Promise<object> | undefined {
    if (!this.#allowsFiles) return undefined;
    if (this.#waitingFiles >= MAX_WAITING_FILES)
      return Promise.reject(new Error(`more than ${MAX_WAITING_FILES} files were asked for at once`));
    this.#waitingFiles += 1;
    const done = this.#files.then(work).finally(() => {
      this.#waitingFiles -= 1;
    });
    this.#files = done.catch(() => {});
    return done;
  }
}

async function asPromise<Result>(work: () => Result): Promise<Result> {
  return work();
}
