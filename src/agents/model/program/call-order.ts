/**
 * Keeps the order of one answer's calls where it matters: an edit waits for all calls before it, and all others wait for
 * the edits before them. A model that writes a file and runs it in one answer means them in this order.
 */
export class CallOrder {
  #lastEdit: Promise<unknown> = Promise.resolve();
  #sinceThen: Promise<unknown>[] = [];

  /** To be called in the order of the calls. */
  enter(isEdit: boolean): { readonly isNext: Promise<unknown>; leave(): void } {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    if (!isEdit) {
      this.#sinceThen.push(left);
      return { isNext: this.#lastEdit, leave };
    }
    const isNext = Promise.all([this.#lastEdit, ...this.#sinceThen]);
    this.#lastEdit = left;
    this.#sinceThen = [];
    return { isNext, leave };
  }
}
