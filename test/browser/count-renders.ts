/**
 * Counts how often a component of the page renders. React gives an element new properties whenever the component that
 * made it has rendered, even if nothing else of it changes, and keeps them in a field of the element.
 */
import type { Locator } from "playwright-core";

type Counted = Record<string, unknown> & { renders: number };

/** Begins to count; the component is the one that made this element. The function tells the number so far. */
export async function countRenders(element: Locator): Promise<() => Promise<number>> {
  await element.evaluate((node) => {
    const field = Object.keys(node).find((name) => name.startsWith("__reactProps$"));
    if (field === undefined)
      throw new Error("React does not keep the properties of an element there any more.");
    const counted = node as unknown as Counted;
    let properties = counted[field];
    counted.renders = 0;
    Object.defineProperty(node, field, {
      get: () => properties,
      set(next) {
        properties = next;
        counted.renders += 1;
      },
    });
  });
  return () => element.evaluate((node) => (node as unknown as Counted).renders);
}
