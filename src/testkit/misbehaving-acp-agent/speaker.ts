/** JSON-RPC over the program's own pipes: what a real agent takes from its SDK. */

export type Id = number | string;
export type Fields = Record<string, unknown>;

export class Speaker {
  /** Done around every line. */
  between = (): void => {};
  readonly #waiting = new Map<Id, (answer: Fields) => void>();
  #requests = 0;

  send(message: Fields): void {
    this.sendLine(JSON.stringify(message));
  }

  sendLine(line: string): void {
    this.between();
    process.stdout.write(`${line}\n`);
    this.between();
  }

  answer(id: Id, result: unknown): void {
    this.send({ result, jsonrpc: "2.0", id });
  }

  fail(id: Id, code: number, message: string, data?: unknown): void {
    this.send({ jsonrpc: "2.0", id, error: { code, message, data } });
  }

  notify(method: string, params: Fields): void {
    this.send({ jsonrpc: "2.0", method, params });
  }

  /** The whole answer: `{ result }` or `{ error }`. The id is a text, as agents in other languages have it. */
  request(method: string, params: Fields, id: Id = `request-${this.#requests}`): Promise<Fields> {
    this.#requests += 1;
    this.send({ jsonrpc: "2.0", id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** True when it was the answer to a request. */
  takeAnswer(message: Fields): boolean {
    const resolve = this.#waiting.get(message.id as Id);
    if (typeof message.method === "string" || !resolve) return false;
    this.#waiting.delete(message.id as Id);
    resolve(message);
    return true;
  }
}
