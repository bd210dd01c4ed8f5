/** What a choice of a setting is called where its agent gives only an id. Pure. */
import { capitalize } from "../ui/format.ts";

/** `build` is "Build" and `claude-opus-5-5` is "Claude Opus 5.5"; what is no plain word stays as it is. */
export function choiceName({ id, name }: { id: string; name?: string }): string {
  if (name !== undefined && name !== id) return name;
  if (!/^[a-z][a-z0-9]*(?:[-_ ][a-z0-9]+)*$/.test(id)) return id;
  const words = id.split(/[-_ ]/);
  if (words[0] !== "claude") return capitalize(id.replaceAll("_", " "));
  return words
    .map(capitalize)
    .join(" ")
    .replace(/(?<= \d{1,2}) (?=\d{1,2}(?: |$))/, ".");
}
