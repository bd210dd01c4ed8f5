/** `interlingua chat`: a conversation with an agent at the terminal. */
import { talk } from "../chat/talk.ts";
import type { CommandBody } from "../command.ts";
import { endAtOnce } from "../exit-codes.ts";
import { daemonDirectory } from "../find-daemon.ts";
import { isAtTerminal } from "../run/answerer-of.ts";
import { connectOrStart } from "../run/connect-or-start.ts";
import { pickSession } from "../run/pick-session.ts";
import { assertOneAnswer, directoryOf, TALK_OPTIONS } from "../run/talk-options.ts";

export const chat: CommandBody = {
  positionals: [],
  details: [
    "/help lists what can be typed. Tab completes commands after / and files after @. What is typed while the",
    "agent works waits its turn. Ctrl-C stops the turn; a second one leaves it running, as Ctrl-D does.",
    "Without a terminal each line of stdin is a prompt; it ends with the first turn that does not complete, and",
    "with the exit code of run. Without --agent a new session gets the agent that run would take. If no daemon",
    "runs, one is started in the background; it ends when unused.",
  ].join("\n"),
  options: {
    ...TALK_OPTIONS,
    json: { type: "boolean", help: "Print what happens as events, one JSON object per line" },
  },
  async run(invocation) {
    const { flags } = invocation;
    assertOneAnswer(flags);
    const cwd = directoryOf(invocation);
    const client = await connectOrStart(invocation, () => cwd);
    const dataDirectory = await daemonDirectory(invocation);
    const session = await pickSession(client, { flags, cwd, dataDirectory });
    const leaving = new AbortController();
    // It starts while the person types. Why it cannot is said in answer to the first prompt.
    if (isAtTerminal()) session.attach(leaving).catch(() => {});
    return endAtOnce(await talk(invocation, client, session).finally(() => leaving.abort()));
  },
};
