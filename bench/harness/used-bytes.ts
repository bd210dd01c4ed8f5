/** How much of a closed database file holds data: pages that are free again are used by what comes next. */
import { DatabaseSync } from "node:sqlite";

export function usedBytes(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const pragma = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0]);
    return (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
  } finally {
    database.close();
  }
}
