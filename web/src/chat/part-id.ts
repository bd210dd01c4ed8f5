/** The id by which `data-discarded` names a text. Pure. */
export function partId(part: {
  providerMetadata?: Record<string, Record<string, unknown>>;
}): string | undefined {
  const id = part.providerMetadata?.interlingua?.part;
  return typeof id === "string" ? id : undefined;
}
