/** An object that stays the same for as long as its fields do: who gets it does not render because of it. */
import { useRef } from "react";

export function useSteadyFields<Fields extends object>(fields: Fields): Fields {
  const kept = useRef(fields);
  const names = Object.keys(fields) as (keyof Fields)[];
  if (names.some((name) => !Object.is(kept.current[name], fields[name]))) kept.current = fields;
  return kept.current;
}
