/** A thousand prompts to one session, one after the other, through the client library. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { Interlingua } from "../../src/sdk/index.ts";
import { expectPromptsInTurn } from "../sdk/prompts-in-turn.ts";

test("a thousand prompts all settle, with each event once", async () => {
  const directory = mkdtempSync(join(tmpdir(), "interlingua-prompts-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  await using client = await Interlingua.start({ data: join(directory, "data"), root: directory });
  await expectPromptsInTurn(client, 1000);
});
