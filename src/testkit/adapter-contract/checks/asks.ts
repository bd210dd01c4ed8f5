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
