/** Leaves out what is undefined, so that an object has only the fields that say something. */
export function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  // Copied, since an object that had a field deleted is slow ever after.
  const kept = {} as Fields;
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept;
}
