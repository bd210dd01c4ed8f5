/** Placeholders of secrets that a person typed into a prompt, by message. All others were put there by us. */
export class TypedPlaceholders {
  readonly #typed = new Map<string, readonly string[]>();

  /** These, and no others. */
  note(message: string, placeholders: readonly string[]): void {
    if (placeholders.length > 0) this.#typed.set(message, placeholders);
    else this.#typed.delete(message);
  }

  forget(message: string): void {
    this.#typed.delete(message);
  }

  /** Those that nobody typed. */
  others(message: string, placeholders: readonly string[]): string[] {
    const typed = this.#typed.get(message) ?? [];
    return placeholders.filter((placeholder) => !typed.includes(placeholder));
  }
}
