/** Format 9: the texts of messages whose words are not in the index yet. All that older versions wrote are in it. */
import type { Connection } from "../connection.ts";

/** `id` is the number of the message's row, as in `message_text`. */
const TABLE = `
CREATE TABLE text_to_index (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL
);
`;

export function addTextsToIndex(connection: Connection): void {
  connection.exec(TABLE);
}
