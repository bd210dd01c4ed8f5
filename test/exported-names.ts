/** The names a module exports, read from its source: types leave no trace at run time. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface ExportedName {
  name: string;
  isType: boolean;
  /** The comment before its declaration; empty without one. */
  comment: string;
}

const LIST = /^export (type )?\{([^}]*)\}(?: from "([^"]+)")?;/gm;
const ALL = /^export (type )?\* from "([^"]+)";/gm;
const DECLARATION =
  /(?:\/\*\*((?:(?!\*\/).)*)\*\/\n)?^export (?:async )?(?:abstract )?(interface|type|function|class|const) (\w+)/gms;

export function exportedNames(file: string): ExportedName[] {
  const source = readFileSync(file, "utf8");
  const beside = (path: string) => join(dirname(file), path);
  const declared = [...source.matchAll(DECLARATION)].map(([, comment = "", kind, name]) => ({
    name: name!,
    isType: kind === "interface" || kind === "type",
    comment,
  }));
  const listed = [...source.matchAll(LIST)].flatMap(([, type, list, from]) => {
    const declarations = from?.startsWith(".") ? exportedNames(beside(from)) : [];
    return list!
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "")
      .map((entry) => {
        const [original, name = original] = entry.replace(/^type /, "").split(" as ");
        const comment = declarations.find((declaration) => declaration.name === original)?.comment ?? "";
        return { name: name!, isType: type !== undefined || entry.startsWith("type "), comment };
      });
  });
  const starred = [...source.matchAll(ALL)].flatMap(([, type, from]) =>
    exportedNames(beside(from!)).map((each) => ({ ...each, isType: each.isType || type !== undefined })),
  );
  return [...declared, ...listed, ...starred];
}
