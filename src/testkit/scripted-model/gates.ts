/** Named gates that are closed until somebody opens them, and then stay open. */
export class Gates {
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();

  opened(name: string): Promise<void> {
    return this.#gate(name).promise;
  }

  open(name: string): void {
    this.#gate(name).resolve();
  }

  #gate(name: string): PromiseWithResolvers<void> {
    const known = this.#gates.get(name);
    if (known) return known;
    const gate = Promise.withResolvers<void>();
    this.#gates.set(name, gate);
    return gate;
  }
}
