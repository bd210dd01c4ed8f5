/** What programs say about themselves, `--version` say: asked once, and again when the program is another file. */
import { stat } from "node:fs/promises";
import type { FoundProgram } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { runProgram } from "./run-program.ts";

export class ProgramAnswers {
  readonly #processHost: ProcessHost;
  /** By program, then by flag. */
  readonly #known = new Map<string, { stamp: string; outputs: Map<string, string> }>();

  constructor(processHost: ProcessHost) {
    this.#processHost = processHost;
  }

  /** What the program prints for a flag. Rejects as `runProgram` does. An answer that failed is not kept. */
  async ask(program: FoundProgram, flag: string, signal?: AbortSignal): Promise<string> {
    const { command, args } = program;
    const stamp = await stampOf(program);
    const known = this.#known.get(keyOf(program));
    const remembered = known?.stamp === stamp ? known?.outputs.get(flag) : undefined;
    if (remembered !== undefined) return remembered;
    const { output, code } = await runProgram(this.#processHost, { command, args: [...args, flag], signal });
    if (code === 0 && stamp !== undefined) this.#remember(program, stamp, flag, output);
    return output;
  }

  /** For an answer that will not do: a launcher may run another program next time, and is the same file then. */
  forget(program: FoundProgram): void {
    this.#known.delete(keyOf(program));
  }

  #remember(program: FoundProgram, stamp: string, flag: string, output: string): void {
    const known = this.#known.get(keyOf(program));
    if (known?.stamp === stamp) known.outputs.set(flag, output);
    else this.#known.set(keyOf(program), { stamp, outputs: new Map([[flag, output]]) });
  }
}

function keyOf({ command, args }: FoundProgram): string {
  return JSON.stringify([command, ...args]);
}

/** The program may be a script that another one runs. Undefined where there is no file to look at. */
async function stampOf({ command, args }: FoundProgram): Promise<string | undefined> {
  const [first, ...others] = await Promise.all([command, ...args].map(fileStamp));
  return first === undefined ? undefined : [first, ...others].join();
}

async function fileStamp(path: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs}:${size}:${ino}`;
  } catch {
    return undefined;
  }
}
