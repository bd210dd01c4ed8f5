/** Whether what is stored can be opened; reading all of it is for `db check`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "../../store/sqlite/data-directory.ts";
import { openData } from "../open-data.ts";
import type { StoredAt } from "../stored-at.ts";
import type { Finding } from "./finding.ts";

export async function checkDatabase(stored: StoredAt): Promise<Finding> {
  const about = "database";
  if (stored.store === undefined && !existsSync(join(stored.data, DATABASE_FILE)))
    return { about, state: "ok", detail: "nothing is stored yet" };
  try {
    const store = await openData(stored);
    await store.close();
    return { about, state: "ok", detail: "opens; interlingua db check reads all of it" };
  } catch (error) {
    return { about, state: "problem", detail: (error as Error).message };
  }
}
