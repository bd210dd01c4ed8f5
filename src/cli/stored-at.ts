/** Where sessions are kept that a command reads itself: a file in the data directory, or a database. */

import type { Invocation } from "./command.ts";
import { dataDirectoryOf } from "./data-directory-of.ts";
import { UsageError } from "./usage-error.ts";

export interface StoredAt {
  /** The data directory. */
  readonly data: string;
  /** The address of a PostgreSQL database; a file in the data directory when absent. */
  readonly store?: string;
}

export async function storedAt(invocation: Invocation): Promise<StoredAt> {
  const { flags, environment, cwd } = invocation;
  const data = await dataDirectoryOf(invocation);
  const { resolveConfig } = await import("../config/resolve-config.ts");
  const { store } = resolveConfig({
    flags: { data: flags.values.data, config: flags.values.config, store: flags.values.store },
    environment,
    cwd,
  });
  return { data, store };
}

/** For commands that work on the file: throws where the sessions are in a database. */
export async function assertInFile(invocation: Invocation, remedy: string): Promise<void> {
  const { store } = await storedAt(invocation);
  if (store === undefined) return;
  const { storeName } = await import("../config/store-address.ts");
  throw new UsageError(
    `The sessions are in ${storeName(store)}, and this command is for those in a file. ${remedy}`,
  );
}

/** For messages, without a password. */
export async function nameOfStore({ data, store }: StoredAt): Promise<string> {
  if (store === undefined) return data;
  return (await import("../config/store-address.ts")).storeName(store);
}
