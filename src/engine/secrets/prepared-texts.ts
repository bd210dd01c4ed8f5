/** Long texts that are masked already, each until nobody needs it any more. */
export class PreparedTexts {
  readonly #texts = new Map<string, { readonly masked: string; users: number }>();

  get(text: string): string | undefined {
    return this.#texts.size > 0 ? this.#texts.get(text)?.masked : undefined;
  }

  add(text: string, masked: string): void {
    this.#texts.set(text, { masked, users: (this.#texts.get(text)?.users ?? 0) + 1 });
  }

  release(text: string): void {
    const prepared = this.#texts.get(text);
    if (!prepared) return;
    prepared.users -= 1;
    if (prepared.users === 0) this.#texts.delete(text);
  }

  clear(): void {
    this.#texts.clear();
  }
}
