/** Names that a reader takes for each other are one. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
