/** Rows as columns and back, by a map that names the field of each column. */
import { dropNulls } from "./drop-nulls.ts";

type FieldMap<Row> = Readonly<Record<string, keyof Row>>;

/** The database has NULL where a row omits a field. */
export type ColumnsOf<Row, Fields extends FieldMap<Row>> = {
  [Column in keyof Fields]: undefined extends Row[Fields[Column]]
    ? Exclude<Row[Fields[Column]], undefined> | null
    : Row[Fields[Column]];
};

/** In the order of the map, which checksums of rows rely on. */
export function columnNames<Fields extends object>(fields: Fields): readonly (keyof Fields & string)[] {
  return Object.keys(fields) as (keyof Fields & string)[];
}

export function toColumns<Row, Fields extends FieldMap<Row>>(
  row: Row,
  fields: Fields,
): ColumnsOf<Row, Fields> {
  const columns: Record<string, unknown> = {};
  for (const column of Object.keys(fields)) columns[column] = row[fields[column] as keyof Row] ?? null;
  return columns as ColumnsOf<Row, Fields>;
}

export function toRow<Row, Fields extends FieldMap<Row>>(
  stored: ColumnsOf<Row, Fields>,
  fields: Fields,
): Pick<Row, Fields[keyof Fields]> {
  const row: Partial<Record<keyof Row, unknown>> = {};
  for (const column of Object.keys(fields)) row[fields[column] as keyof Row] = stored[column];
  return dropNulls(row) as Pick<Row, Fields[keyof Fields]>;
}
