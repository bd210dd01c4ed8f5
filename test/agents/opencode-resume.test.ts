/** A conversation of OpenCode that is gone for good. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { lastMessages, openCodeSession, openCodeWorld } from "./opencode-world.ts";

it("says so when its conversation is gone, and begins a new one", async () => {
  await using world = await openCodeWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const session = await openCodeSession(world);
  await session.run("The word is kestrel [[hello]]");
  await world.stopDaemon();
  forgetSessions(join(world.home, ".local/share/opencode/opencode.db"));
  await world.startDaemon();
  await session.watch();
  expect((await session.run("Again [[hello]]")).text).toBe("Hello.");
  const notices = ofType(session.events, "notice").filter(({ code }) => code === "resume");
  expect(notices.map(({ text }) => text)).toEqual([expect.stringMatching(/not found/i)]);
  // It is told what was said.
  expect(lastMessages(world)).toMatch(/Account of.*kestrel/s);
});

/** As if they had been deleted in OpenCode itself. */
function forgetSessions(file: string): void {
  const database = new DatabaseSync(file);
  expect(database.prepare("DELETE FROM session").run().changes).toBeGreaterThan(0);
  database.close();
}
