/** Runs one piece of work after the other, also when one fails. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  add<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => {});
    return next;
  }
}
