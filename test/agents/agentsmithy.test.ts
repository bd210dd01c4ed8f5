/** Real agents through AgentSmithy's protocol: a turn that writes files, in the document's order, and its undo. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionUlid } from "../../src/core/session-ulid.ts";
import { expectGrammar } from "../../src/dialects/agentsmithy/expect-grammar.test-support.ts";
import { TOKEN } from "../../src/server/http-client-test-support.ts";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { askSkeleton } from "../agentsmithy/skeleton.ts";
import { SmithyClient, textOf, typesOf } from "../agentsmithy/smithy-client.ts";
import { AGENTS } from "./agents.ts";

const COMMAND = "echo new > by-shell.txt";
const COMMIT = /^[0-9a-f]{40}$/;

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

  it("serves the client of AgentSmithy's document and the requests of its extension, and undoes three files", async () => {
    await using world = await start({
      scripts: (project) => ({
        work: [
          [tools.write(project).call],
          [tools.run("echo new > b.txt")],
          [tools.run("echo new > c.txt")],
          [text("Done.")],
        ],
      }),
    });
    const session = await world.session(sessions.trusted);
    const row = (await session.call("GET", "")).body;
    const dialog = sessionUlid(row.id, row.createdAt);
    const client = new SmithyClient(`${world.url}/agentsmithy`, TOKEN);
    const get = async (path: string) => (await client.call("GET", path)).body;
    const files = ["a.txt", "b.txt", "c.txt"].map((name) => join(world.project, name));

    expect(await get("/health")).toMatchObject({ status: "ok", config_valid: true, config_errors: [] });
    expect((await client.call("PATCH", `/api/dialogs/current?id=${dialog}`)).body).toEqual({ ok: true });
    expect(await get("/api/dialogs/current")).toMatchObject({ id: dialog, meta: { id: dialog } });
    expect((await get("/api/config")).metadata.workloads[0]).toMatchObject({ kind: "chat" });

    const handled = await askSkeleton(client, "Work [[work]]", { dialog_id: dialog });
    const names = handled.map(({ name }) => name);
    expect(names[0]).toBe("handleUserMessage");
    expect(names.at(-1)).toBe("handleDone");
    expect(names).not.toContain("handleError");
    expect(names.filter((name) => name === "handleToolCall")).toHaveLength(3);
    const edited = handled.filter(({ name }) => name === "handleFileEdit").map(({ data }) => data?.file);
    expect([...new Set(edited)].toSorted()).toEqual(files);
    const said = handled.filter(({ name }) => name === "handleChat").map(({ data }) => data?.content ?? "");
    expect(said.join("")).toBe("Done.");

    const changed = await get(`/api/dialogs/${dialog}/session`);
    expect(changed).toMatchObject({ active_session: "session_1", has_unapproved: true });
    expect(changed.changed_files.map(({ path }: { path: string }) => path)).toEqual([
      "a.txt",
      "b.txt",
      "c.txt",
    ]);
    const history = await get(`/api/dialogs/${dialog}/history?limit=20`);
    expect(history).toMatchObject({
      dialog_id: dialog,
      has_more: false,
      total_events: history.events.length,
    });
    expect(history.events[0]).toMatchObject({ type: "user", checkpoint: handled[0]!.data!.checkpoint });
    expect((await client.call("PATCH", `/api/dialogs/${dialog}`, { title: "Work" })).body).toEqual({
      ok: true,
    });
    expect((await get("/api/dialogs")).dialogs).toContainEqual(
      expect.objectContaining({ id: dialog, title: "Work" }),
    );

    const restored = await client.call("POST", `/api/dialogs/${dialog}/restore`, {
      checkpoint_id: handled[0]!.data!.checkpoint,
    });
    expect(restored.body).toEqual({
      restored_to: handled[0]!.data!.checkpoint,
      new_checkpoint: expect.stringMatching(COMMIT),
    });
    expect(files.map((path) => existsSync(path))).toEqual([false, false, false]);
    const approved = await client.call("POST", `/api/dialogs/${dialog}/approve`);
    expect(approved.body).toMatchObject({
      approved_commit: expect.stringMatching(COMMIT),
      new_session: "session_2",
    });
    const reset = await client.call("POST", `/api/dialogs/${dialog}/reset`);
    expect(reset.body).toMatchObject({ reset_to: approved.body.approved_commit, new_session: "session_2" });
  });
});
