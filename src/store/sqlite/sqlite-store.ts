/** The store on SQLite: the reader, and the two calls that write. */
import type { SessionAppend, Store } from "../../core/store.ts";
import { toStoreWriteError } from "../store-write-error.ts";
import { packBatch, writeBatch } from "./append.ts";
import type { Connection } from "./connection.ts";
import { deleteSession } from "./delete-session.ts";
import { Sealer, type SealerOptions } from "./sealer.ts";
import { SqliteReader } from "./sqlite-reader.ts";

export class SqliteStore extends SqliteReader implements Store {
  readonly #sealer: Sealer;
  /** Batches are packed and written one after the other, in the order they were given. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection, options: SealerOptions = {}) {
    super(connection);
    this.#sealer = new Sealer(connection, options);
    this.#sealer.requestLeftovers();
  }

  append(batch: readonly SessionAppend[]): Promise<void> {
    const packing = packBatch(batch);
    // Reported when its turn comes, which may be later.
    packing.catch(() => {});
    return this.#write(async () => {
      for (const { session, isLong } of writeBatch(this.connection, await packing))
        this.#sealer.request(session, isLong);
    });
  }

  deleteSession(session: string): Promise<boolean> {
    return this.#write(() => deleteSession(this.connection, session));
  }

  #write<Result>(action: () => Result | Promise<Result>): Promise<Result> {
    if (this.closed) return Promise.reject(new Error("The store is closed."));
    const result = this.#writing.then(action).catch((error: unknown) => {
      throw toStoreWriteError(error);
    });
    this.#writing = result.catch(() => {});
    return result;
  }

  protected override async finish(): Promise<void> {
    await this.#writing;
    await this.#sealer.finish();
    await super.finish();
  }
}
