/** Opens the choice of a model below the prompt, wherever the composer has it. Does nothing where there is none. */
export function showModels(): void {
  const composer = document.getElementById("composer")?.closest("form");
  const choices = [...(composer?.querySelectorAll<HTMLSelectElement>("select[aria-label=Model]") ?? [])];
  const choice = choices.find((select) => select.checkVisibility());
  if (!choice) return composer?.querySelector<HTMLElement>("[data-part=settings]")?.click();
  choice.focus();
  try {
    choice.showPicker();
  } catch {
    // A browser that does not know how leaves the focus there.
  }
}
