/** `db check` compares what is kept beside a log with the log itself. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createEngine } from "../src/engine/create-engine.ts";
import { openStore } from "../src/store/open-store.ts";
import { DATABASE_FILE } from "../src/store/sqlite/data-directory.ts";
import { ScriptedAdapter } from "../src/testkit/scripted-adapter.ts";
import { TESTER } from "../src/testkit/tester.ts";
import { until } from "../src/testkit/until.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "interlingua-"));
  const store = await openStore({ directory });
  const adapter = new ScriptedAdapter();
  const engine = await createEngine({ store, agents: new Map([["scripted", adapter]]) });
  await engine.run("createSession", { id: "s", agent: "scripted", cwd: "/" }, TESTER);
  await engine.run(
    "prompt",
    { session: "s", id: "u1", parts: [{ type: "text", text: "hi" }], whenBusy: "queue" },
    TESTER,
  );
  await until(() => adapter.last?.commands.length === 1);
  adapter.last.say({ type: "ask.opened", ask: "q", kind: "permission", title: "?", options: [] });
  await until(async () => (await engine.run("listAsks", {}, TESTER)).asks.length === 1);
  await engine.close();
  await store.close();
});

afterEach(() => rm(directory, { recursive: true }));

async function problemsAfter(sql: string): Promise<string[]> {
  const database = new DatabaseSync(join(directory, DATABASE_FILE));
  database.exec(sql);
  database.close();
  const store = await openStore({ directory });
  const { problems } = await store.check();
  await store.close();
  return problems;
}

it("finds nothing in what the engine wrote", async () => {
  expect(await problemsAfter("SELECT 1")).toEqual([]);
});

it.each([
  ["DELETE FROM message WHERE id = 'u1'", 'message "u1" is in the log and not beside it.'],
  ["DELETE FROM ask", /ask "a\d+" is in the log and not beside it\./],
])("notices %s", async (sql, problem) => {
  expect((await problemsAfter(sql)).join("\n")).toMatch(problem);
});
