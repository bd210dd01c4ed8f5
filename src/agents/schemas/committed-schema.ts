/** The schemas our translators were built on. `npm run schemas` writes them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../../package-root.ts";
import type { MessageSchema } from "./message-schema.ts";

export const SCHEMAS_DIRECTORY = join(PACKAGE_ROOT, "schemas");

/** Undefined for an agent that has none. */
export function readCommittedSchema(agent: string): MessageSchema | undefined {
  const file = join(SCHEMAS_DIRECTORY, `${agent}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
