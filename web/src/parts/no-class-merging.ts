/** Stands for `tailwind-merge` in streamdown (`vite.config.ts`), whose classes never meet others of the page. */
export function twMerge(...classes: string[]): string {
  return classes.filter(Boolean).join(" ");
}
