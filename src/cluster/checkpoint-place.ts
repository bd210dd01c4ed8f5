/**
 * Makes sure that all nodes mean the same directory when they keep checkpoints together: it has an id in a file, and the
 * database has it too. A directory of the same name on another disk has not.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PostgresConnection } from "../store/postgres/connection.ts";

const FILE = "place";
const MARK = "checkpoint_directory";

const READ = "SELECT value FROM mark WHERE name = $1";
const PUT = "INSERT INTO mark (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
/** Nobody else uses the other one. */
const REPLACE = `UPDATE mark SET value = $2 WHERE name = $1 AND value = $3
  AND NOT EXISTS (SELECT 1 FROM node WHERE NOT dead AND id <> $4) RETURNING value`;

/** Its id. Rejects with a sentence where other nodes use another directory. */
export async function openCheckpointPlace(
  connection: Pick<PostgresConnection, "query">,
  directory: string,
  node: number,
): Promise<string> {
  const read = async () => (await connection.query<{ value: string }>(READ, [MARK]))[0]?.value;
  const known = readId(directory);
  const before = await read();
  // A directory without an id is a new one, or not the one that it is meant to be.
  const id = known ?? (before === undefined ? createId(directory) : undefined);
  if (before === undefined) await connection.query(PUT, [MARK, id!]);
  const agreed = await read();
  if (id !== undefined && agreed === id) return id;
  const other = id ?? randomUUID();
  const [replaced] = await connection.query(REPLACE, [MARK, other, agreed!, node]);
  if (!replaced)
    throw new Error(
      `--checkpoint-directory: ${directory} is not the directory that the other nodes keep checkpoints in. Mount that one here, or stop all nodes before you give another one.`,
    );
  return id ?? createId(directory, other);
}

function readId(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, FILE), "utf8").trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Of two nodes that start at the same moment one makes it. */
function createId(directory: string, id: string = randomUUID()): string {
  try {
    writeFileSync(join(directory, FILE), `${id}\n`, { flag: "wx", mode: 0o600 });
    return id;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return readId(directory) ?? id;
  }
}
