/** A restore of files and conversation: both, or neither. */
import { expect, it } from "vitest";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create } from "../engine.test-support.ts";
import { beginRestore, expectWhole, openChanged } from "./restoring.test-support.ts";

const BACK = { conversation: true } as const;

for (const rewind of [true, false])
  it(`a restore that is refused after its plan leaves the conversation as it was (the agent ${rewind ? "can" : "cannot"} forget)`, async () => {
    const project = await openChanged({ adapter: new ScriptedAdapter({ rewind }) });
    const { engine, cwd, adapter } = project;
    await create(engine, "other", { cwd });
    await project.turn(() => {}, "other");
    const head = (await project.events()).length;
    const { restoring, open } = await beginRestore(project, "onCapture", BACK);
    adapter.last.say({ type: "text.delta", part: "p", delta: "By the way" });
    await until(
      async () => (await engine.run("getSession", { session: "other" }, TESTER)).status === "running",
    );
    open();
    await expect(restoring).rejects.toMatchObject({ code: "workspace_busy" });
    expect((await project.events()).slice(head)).toEqual([]);
    expect(adapter.sessions.flatMap(({ commands }) => commands).map(({ type }) => type)).not.toContain(
      "rewind",
    );
    expect(project.read("a.txt")).toBe("two");
    await project.end("other");
    expect(
      await engine.run(
        "restore",
        { session: "s", checkpoint: await project.latest("before"), ...BACK },
        TESTER,
      ),
    ).toMatchObject({
      restored: ["a.txt"],
      rewound: expect.any(String),
    });
    await expectWhole(project);
  });

it("a session that is closed while its agent is told of a restore ends after the restore, with files and conversation gone back", async () => {
  const project = await openChanged();
  const { engine, adapter } = project;
  const telling = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  adapter.last.send = () => {
    telling.resolve();
    return told.promise;
  };
  const restoring = engine.run(
    "restore",
    { session: "s", checkpoint: await project.latest("before"), ...BACK },
    TESTER,
  );
  await telling.promise;
  const closing = engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
  await project.has("session.detached");
  told.reject(new Error("it is gone"));
  expect(await restoring).toMatchObject({ restored: ["a.txt"], rewound: expect.any(String) });
  await closing;
  const types = (await project.events()).map(({ type }) => type);
  expect(types.slice(-2)).toEqual(["checkpoint.restored", "session.closed"]);
  expect(types.filter((type) => type === "conversation.rewound")).toHaveLength(1);
  expect(project.read("a.txt")).toBe("one");
  await expectWhole(project);
});
