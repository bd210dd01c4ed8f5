/** Real agents through AgentSmithy's protocol: a turn that writes files, in the document's order, and its undo. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionUlid } from "../../src/core/session-ulid.ts";
import { expectGrammar } from "../../src/dialects/agentsmithy/expect-grammar.test-support.ts";
import { TOKEN } from "../../src/server/http-client-test-support.ts";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { SmithyClient, textOf, typesOf } from "../agentsmithy/smithy-client.ts";
import { AGENTS } from "./agents.ts";

const COMMAND = "echo new > by-shell.txt";

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, tools }) => {
  it("speaks AgentSmithy: events in order, files found at the end before done, history, restore", async () => {
    await using world = await start({
      scripts: (project) => ({ work: [[tools.write(project).call], [tools.run(COMMAND)], [text("Done.")]] }),
    });
    const session = await world.session(sessions.trusted);
    const row = (await session.call("GET", "")).body;
    const dialog = sessionUlid(row.id, row.createdAt);
    const client = new SmithyClient(`${world.url}/agentsmithy`, TOKEN);
    const said = await client.say("Work [[work]]", { dialog_id: dialog });
    const events = expectGrammar(said.text.split(/(?<=\n\n)/).map((frame) => ({ text: frame })));
    expect(events[0]).toMatchObject({
      type: "user",
      content: "Work [[work]]",
      dialog_id: dialog,
      checkpoint: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(typesOf(events).filter((type) => type === "tool_call")).toHaveLength(2);
    expect(textOf(events)).toBe("Done.");
    const files = ["a.txt", "by-shell.txt"].map((name) => join(world.project, name));
    const edited = events.filter(({ type }) => type === "file_edit").map(({ file }) => file);
    expect(edited.toSorted()).toEqual(files);

    const history = (await client.call("GET", `/api/dialogs/${dialog}/history`)).body;
    expect(textOf(history.events)).toBe("Done.");
    const results = (await client.call("GET", `/api/dialogs/${dialog}/tool-results`)).body;
    expect(results).toHaveLength(2);
    await client.call("POST", `/api/dialogs/${dialog}/restore`, { checkpoint_id: events[0]!.checkpoint });
    expect(files.map((path) => existsSync(path))).toEqual([false, false]);
  });
});
