/** Permissions and questions: they come where they are declared and nowhere else, and the answers arrive. */
import assert from "node:assert/strict";
import type { BackendSession, PermissionHandler } from "../../../core/adapter.ts";
import type { AskKind } from "../../../core/ask.ts";
import type { SessionRun } from "../../session-run.ts";
import type { AdapterCheck, AdapterContract } from "../adapter-contract.ts";
import { assertDeclared, outcomeOf, withRun } from "../with-run.ts";

export const asks: Readonly<Record<string, AdapterCheck>> = {
  "PermissionHandler: a permission is asked for, and a yes arrives": (contract) =>
    checkPermission(contract, "allow", contract.scenarios.permission.isAllowed),

  "PermissionHandler: a permission is asked for, and a no arrives": (contract) =>
    checkPermission(contract, "deny", contract.scenarios.permission.isDenied),

  "runs what a person made of an input, where the ask says that it may be edited": (contract) =>
    withRun(contract, async (run) => {
      const { prompt, edited } = contract.scenarios.permission;
      await run.prompt(prompt);
      if (!(await isAsked(run, "permission"))) return;
      const ask = run.of("ask.opened").find(({ kind }) => kind === "permission")!;
      if (!ask.editable) return;
      assert.ok(edited, "`scenarios.permission.edited` is needed, because its ask is `editable`");
      const proposed = run.of("tool.input").findLast(({ call }) => call === ask.call)!;
      const input = edited.change(proposed.input as Record<string, unknown>);
      const once = ask.options.find(({ effect }) => effect === "once");
      await run.reply(ask, { option: once?.id, input });
      await run.untilEvent("turn.ended");
      assert.ok(edited.holds(run), "the agent does not run the input that was changed");
      const shown = run.of("tool.input").findLast(({ call }) => call === ask.call)!;
      assert.deepEqual(shown.input, input, "the log does not show what was run");
      assert.ok(shown.by !== undefined, "the log does not say that somebody changed it");
    }),

  "puts questions where that is declared, and gets the answers": (contract) => {
    const { prompt, answer, holds } = contract.scenarios.question;
    return withRun(
      contract,
      async (run, adapter) => {
        await run.prompt(prompt);
        assertDeclared(adapter, "questions", await isAsked(run, "question"));
        if (!adapter.capabilities.questions) return;
        await run.untilEvent("turn.ended");
        assert.ok(holds(run), "the answer did not arrive");
      },
      { answer: (ask) => (ask.kind === "question" ? answer(ask) : undefined) },
    );
  },
};

function checkPermission(
  contract: AdapterContract,
  behavior: "allow" | "deny",
  arrived: (run: SessionRun) => boolean,
): Promise<void> {
  return withRun(contract, async (run, adapter) => {
    const { session } = run;
    await run.prompt(contract.scenarios.permission.prompt);
    assertDeclared(adapter, "permissions", await isAsked(run, "permission"));
    if (!isPermissionHandler(session)) return;
    const answering = answerAll(session, behavior);
    await run.untilEvent("turn.ended");
    assert.ok(arrived(run), `the agent does not act on "${behavior}"`);
    await run.close();
    const requests = await answering;
    const opened = run.of("ask.opened").filter(({ kind }) => kind === "permission");
    assert.equal(requests.length, opened.length, "not every permission is in permissionRequests");
    for (const { toolName, secondAnswer } of requests) {
      assert.ok(toolName, "a request has to name its tool");
      assert.ok(secondAnswer instanceof Error, "a second answer to the same request has to be refused");
    }
  });
}

/** Answers until the session ends. */
async function answerAll(session: PermissionHandler, behavior: "allow" | "deny") {
  const requests: { toolName: string; secondAnswer: unknown }[] = [];
  for await (const { requestId, toolName } of session.permissionRequests) {
    session.respondToPermission(requestId, behavior);
    const secondAnswer = await outcomeOf(() => session.respondToPermission(requestId, behavior));
    requests.push({ toolName, secondAnswer });
  }
  return requests;
}

/** Whether an ask of that kind comes before the turn is over. */
async function isAsked(run: SessionRun, wanted: AskKind): Promise<boolean> {
  const hasCome = () => run.of("ask.opened").some(({ kind }) => kind === wanted);
  await run.until(() => hasCome() || run.of("turn.ended").length > 0);
  return hasCome();
}

function isPermissionHandler(session: BackendSession): session is BackendSession & PermissionHandler {
  return "permissionRequests" in session;
}
