/** An engine and a directory of its own whose files agents change, for tests of checkpoints. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { type OpenOptions, open, text } from "../engine.test-support.ts";
import { CopyingWorkspace } from "./copying-workspace.test-support.ts";

export async function openProject(options: OpenOptions & { cwd?: string } = {}) {
  const workspace = (options.workspace as CopyingWorkspace) ?? new CopyingWorkspace();
  const opened = await open({ ...options, workspace });
  const cwd = options.cwd ?? realpathSync(mkdtempSync(join(tmpdir(), "interlingua-project-")));
  if (!options.cwd) onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const write = (name: string, words: string) => writeFileSync(join(cwd, name), words);
  const read = (name: string) =>
    existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), "utf8") : undefined;
  const sessionAdapter = (session: string) =>
    opened.adapter.sessions.findLast((one) => one.sessionId === session);
  const begin = async (session = "s", id?: string) => {
    const prompts = () =>
      opened.adapter.sessions
        .filter((one) => one.sessionId === session)
        .flatMap(({ commands }) => commands.filter(({ type }) => type === "prompt")).length;
    const count = prompts();
    await opened.engine.run("prompt", { session, id, parts: text("go"), whenBusy: "queue" }, TESTER);
    await until(() => prompts() > count);
  };
  const end = async (session = "s") => {
    sessionAdapter(session)?.say({ type: "turn.ended", outcome: "completed" });
    await until(async () => (await opened.engine.run("getSession", { session }, TESTER)).status === "idle");
  };
  /** One turn in which the agent does this. */
  const turn = async (work: () => void, session = "s", id?: string) => {
    await begin(session, id);
    work();
    await end(session);
  };
  const latest = async (kind: string) =>
    (await opened.engine.run("listCheckpoints", { session: "s" }, TESTER)).checkpoints.findLast(
      (checkpoint) => checkpoint.kind === kind,
    )!.id;
  return { ...opened, workspace, cwd, write, read, begin, end, turn, latest };
}
