/** What readline draws on: the terminal, unless what is typed is secret. */
import { Writable } from "node:stream";

export class TerminalEcho extends Writable {
  isMuted = false;

  get columns(): number {
    return process.stderr.columns;
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    if (!this.isMuted) process.stderr.write(chunk);
    done();
  }
}
