/** A bare server as a process of its own, so that its processor time can be told from ours. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const SCRIPTS = join(import.meta.dirname, "../bare");

export class BareServer implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** The script prints its address when it listens. */
  static async start(script: string, ...args: readonly string[]): Promise<BareServer> {
    const child = spawn(process.execPath, [join(SCRIPTS, script), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const failed = once(child, "exit").then(([code]) => {
      throw new Error(`${script} exited with ${code}`);
    });
    failed.catch(() => {});
    const [line] = await Promise.race([once(child.stdout!, "data"), failed]);
    return new BareServer(child, String(line).trim());
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Its processor time in microseconds. */
  readonly cpu = async (): Promise<number> => Number(await (await fetch(`${this.url}/cpu`)).text());

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.kill();
    await gone;
  }
}
