/** The ask that the composer leads to: the first of the conversation that this person can answer. */
export function firstOpenAsk(): HTMLElement | null {
  return document.querySelector<HTMLElement>("main [data-ask][tabindex]");
}
