/** Goes through what may be long, so that others in this process have their turn meanwhile. */
import { TimeSlices } from "../core/time-slices.ts";
import { BYTES } from "./git.ts";

const slices = new TimeSlices();

export async function oneByOne<Item>(items: Iterable<Item>, action: (item: Item) => unknown): Promise<void> {
  for (const item of items) {
    const pause = slices.pause();
    if (pause) await pause;
    await action(item);
  }
}

/** Some entries of git's output with `-z`, as latin1. */
export async function selectEntries(output: Buffer, isWanted: (entry: string) => boolean): Promise<string[]> {
  const selected: string[] = [];
  let at = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, at)) {
    const pause = slices.pause();
    if (pause) await pause;
    const entry = output.toString(BYTES, at, end);
    if (isWanted(entry)) selected.push(entry);
    at = end + 1;
  }
  return selected;
}
