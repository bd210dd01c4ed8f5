/** The database has NULL where our rows omit a field. */

type WithoutNulls<Row> = {
  [Field in keyof Row]: Exclude<Row[Field], null> | (null extends Row[Field] ? undefined : never);
};

/**
 * Removes the fields that are null, or undefined: SQLite ignores the case of column names, so a flipped letter in its schema
 * gives a column under another name. Where that has a value, the checksum does not match. Mutates and returns `row`.
 */
export function dropNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  for (const field of Object.keys(row) as (keyof Row)[]) {
    if (row[field] == null) delete row[field];
  }
  return row as WithoutNulls<Row>;
}
