/** Copies everything stored from one place to another, each a data directory or a database. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CopySource } from "./copy-source.ts";
import { type CopyOptions, type CopyResult, copyStore } from "./copy-store.ts";
import type { CopyTarget } from "./copy-target.ts";
import { DATABASE_FILE } from "./sqlite/data-directory.ts";
import {
  acquireDataDirectoryLock,
  DataDirectoryLockedError,
  type DataDirectoryLockOptions,
} from "./sqlite/data-directory-lock.ts";
import { openDatabase, openDatabaseReadOnly } from "./sqlite/open-database.ts";
import { SqliteCopySource } from "./sqlite/sqlite-copy-source.ts";
import { SqliteStore } from "./sqlite/sqlite-store.ts";
import { syncPath } from "./sqlite/sync-path.ts";

export type CopyPlace = { readonly directory: string } | { readonly url: string };

export interface CopyBetweenOptions extends CopyOptions {
  from: CopyPlace;
  /** Empty, or what a copy left that was not finished. */
  to: CopyPlace;
  isOwnerRunning?: (directory: string) => DataDirectoryLockOptions["isOwnerRunning"];
}

/** Where the copy is made before it is put in its place. */
const STAGING = "copying";

/** Throws a sentence that says what to do. The source is not changed; no daemon works with either meanwhile. */
export async function copyBetween(options: CopyBetweenOptions): Promise<CopyResult> {
  await using opened = new AsyncDisposableStack();
  const source = await openSource(options, opened);
  const target = await openTarget(options, opened);
  const result = await copyStore(source, target.store, options);
  await target.finish();
  return result;
}

async function openSource(options: CopyBetweenOptions, opened: AsyncDisposableStack): Promise<CopySource> {
  const { from } = options;
  if ("url" in from) {
    const { openPostgresCopySource } = await import("./postgres/open-postgres-copy.ts");
    const source = await openPostgresCopySource(from);
    opened.defer(() => source.close());
    return source;
  }
  const { directory } = from;
  if (!existsSync(join(directory, DATABASE_FILE)))
    throw new Error(`There is no data of Interlingua in ${directory}. Give another source.`);
  lock(directory, options, opened);
  const source = new SqliteCopySource(openDatabaseReadOnly(directory));
  opened.defer(() => source.close());
  source.assertComplete();
  return source;
}

interface OpenTarget {
  readonly store: CopyTarget;
  finish(): Promise<void>;
}

async function openTarget(options: CopyBetweenOptions, opened: AsyncDisposableStack): Promise<OpenTarget> {
  const { to } = options;
  if ("url" in to) {
    const { openPostgresCopyTarget } = await import("./postgres/open-postgres-copy.ts");
    const target = await openPostgresCopyTarget(to);
    opened.defer(() => target.store.close());
    return target;
  }
  const { directory } = to;
  const path = join(directory, DATABASE_FILE);
  const assertFree = () => {
    if (existsSync(path)) throw new Error(`${path} exists. Give another directory, or move it away first.`);
  };
  assertFree();
  lock(directory, options, opened);
  const staging = join(directory, STAGING);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { mode: 0o700 });
  opened.defer(() => rmSync(staging, { recursive: true, force: true }));
  const store = new SqliteStore(openDatabase(staging));
  opened.defer(() => store.close());
  return {
    store,
    async finish() {
      await store.close();
      syncPath(join(staging, DATABASE_FILE));
      assertFree();
      renameSync(join(staging, DATABASE_FILE), path);
      syncPath(directory);
    },
  };
}

function lock(directory: string, options: CopyBetweenOptions, opened: AsyncDisposableStack): void {
  const owner = { pid: process.pid, startedAt: Date.now() };
  const isOwnerRunning = options.isOwnerRunning?.(directory);
  try {
    const held = acquireDataDirectoryLock(directory, owner, { isOwnerRunning });
    opened.defer(() => held.release());
  } catch (error) {
    if (!(error instanceof DataDirectoryLockedError)) throw error;
    const remedy = `End it with: interlingua stop --data ${directory}`;
    throw new DataDirectoryLockedError(directory, error.holder, remedy);
  }
}
