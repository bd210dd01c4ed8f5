/** The steps from one format of the tables to the next. */
import type { Connection } from "./connection.ts";

export type Step = (connection: Connection) => void;

/** The oldest format that can be read. */
export const OLDEST_FORMAT = 13;

/** The format that schema.ts makes. New databases take only the steps after it. */
export const BASE_FORMAT = 15;

/** Each step leaves the tables as the next format has them. `STEPS[0]` begins at `OLDEST_FORMAT`. */
export const STEPS: readonly Step[] = [addPreparing, addAsksToTexts];

/** Format 14: the prompt that a daemon prepares. */
function addPreparing(connection: Connection): void {
  connection.exec("ALTER TABLE session ADD COLUMN preparing TEXT");
}

/** Format 15: the search finds questions and plans. The text backlog adds them to the texts of older messages. */
function addAsksToTexts(connection: Connection): void {
  connection.exec(`INSERT OR REPLACE INTO text_backlog (id, before)
    SELECT 1, max(row_id) + 1 FROM message
      WHERE EXISTS (SELECT 1 FROM ask WHERE kind <> 'permission') HAVING count(*) > 0`);
}
