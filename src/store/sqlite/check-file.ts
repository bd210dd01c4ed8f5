/** Opens any database file, migrates a copy if wanted, and reads all of it. */
import type { IntegrityReport } from "../../core/store.ts";
import { checkDatabase } from "./check.ts";
import { Connection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { assertReadable } from "./version.ts";

/** For a copy that nobody else has open. `name` is the file it is a copy of, for errors. */
export async function checkCopy(path: string, name: string): Promise<IntegrityReport> {
  const connection = new Connection(path);
  try {
    assertReadable(connection, name);
    migrate(connection, name, { keepCopy: false });
    return await checkDatabase(connection);
  } finally {
    connection.close();
  }
}
