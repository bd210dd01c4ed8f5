/**
 * The number of this data directory's last node, in a file of it. A daemon that is started again knows by it which node
 * was its predecessor; a copy of the directory does not know what the other one has joined as since.
 */
import { readPrivateFile, replacePrivateFile } from "../files/private-file.ts";

export interface NodeNumber {
  /** Undefined where none was kept. */
  read(): number | undefined;
  keep(node: number): void;
}

export class NodeNumberFile implements NodeNumber {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): number | undefined {
    const number = Number(readPrivateFile(this.#path) ?? Number.NaN);
    return Number.isSafeInteger(number) ? number : undefined;
  }

  keep(node: number): void {
    replacePrivateFile(this.#path, String(node));
  }
}
