import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createProcessHost } from "../../../process/local-process-host.ts";
import { readEvents, readIds } from "./ask-reader.ts";

const processHost = createProcessHost({ daemonId: `opencode-reader-${process.pid}`, environment: {} });
afterAll(() => processHost.close());

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "il-opencode-reader-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "opencode.db");
}

/** Waits only as long as it takes to see that it would wait for ever. */
function requestFor(path: string) {
  return { path, session: "ses_1", maxReadMs: 300 };
}

test("a database that an agent exchanged for a pipe does not stop the daemon", async () => {
  const path = temporary();
  execFileSync("mkfifo", [path]);
  await expect(readIds(processHost, requestFor(path))).rejects.toThrow("not a regular file");
});

test("a pipe in the place of the database's journal is waited for by a process that ends", async () => {
  const path = temporary();
  {
    using database = new DatabaseSync(path);
    database.exec("CREATE TABLE event (id, aggregate_id, seq, type, data)");
  }
  execFileSync("mkfifo", [`${path}-journal`]);
  await expect(readIds(processHost, requestFor(path))).rejects.toThrow(
    "could not be read within 0.3 seconds",
  );
});

test("a view without an end in the place of the table is ended with its process", async () => {
  const path = temporary();
  {
    using database = new DatabaseSync(path);
    database.exec(`CREATE VIEW event AS WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many)
      SELECT n AS id, 'ses_1' AS aggregate_id, n AS seq, 'x' AS type, '{}' AS data FROM many`);
  }
  const request = requestFor(path);
  await expect(readEvents(processHost, request, -1)).rejects.toThrow("could not be read within 0.3 seconds");
  await expect(readIds(processHost, request)).rejects.toThrow("could not be read within 0.3 seconds");
});

test("what is no database is named, with what SQLite says of it", async () => {
  const path = temporary();
  writeFileSync(path, "kestrel".repeat(1000));
  await expect(readIds(processHost, { path, session: "ses_1" })).rejects.toThrow("file is not a database");
  const folder = temporary();
  mkdirSync(folder);
  await expect(readIds(processHost, { path: folder, session: "ses_1" })).rejects.toThrow(
    "not a regular file",
  );
});
