/** A conversation with a session: at a terminal a chat, else a prompt from each line of stdin. */
import { createInterface } from "node:readline";
import { IN_MEMORY } from "../../config/data-location.ts";
import { resolveConfig } from "../../config/resolve-config.ts";
import type { Client } from "../../sdk/client.ts";
import type { Session } from "../../sdk/index.ts";
import type { Invocation } from "../command.ts";
import { type ExplainFailure, explainFailedTurn } from "../explain-daemon-lacks.ts";
import { isAtTerminal } from "../run/answerer-of.ts";
import { FollowedTurn } from "../run/followed-turn.ts";
import { Chat } from "./chat.ts";
import { PromptHistory } from "./prompt-history.ts";

/** Resolves with the exit code. */
export async function talk(invocation: Invocation, client: Client, session: Session): Promise<number> {
  const explainFailure: ExplainFailure = (code) => explainFailedTurn(invocation, client, session, code);
  const { flags } = invocation;
  const options = { explainFailure, me: () => client.me() };
  if (!isAtTerminal()) return promptByLine(() => new FollowedTurn(session, flags, options));
  const details = await session.details();
  const history = historyOf(invocation);
  return new Chat({ client, session, details, flags, history, explainFailure }).run();
}

/** A daemon elsewhere is talked to from here, so what was typed stays here. */
function historyOf({ flags, environment, cwd }: Invocation): PromptHistory | undefined {
  const { data } = resolveConfig({ flags: { data: flags.values.data }, environment, cwd });
  return data === IN_MEMORY ? undefined : new PromptHistory(data);
}

/** One after the other. Ends with the first whose turn does not complete. */
async function promptByLine(nextTurn: () => FollowedTurn): Promise<number> {
  for await (const text of promptsOf(createInterface({ input: process.stdin }))) {
    const code = await nextTurn().follow(text);
    if (code !== 0) return code;
  }
  return 0;
}

/** Lines that end with a backslash go on in the next one, if there is one. */
async function* promptsOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let text = "";
  for await (const line of lines) {
    const isContinued = line.endsWith("\\");
    text += isContinued ? `${line.slice(0, -1)}\n` : line;
    if (isContinued || text.trim() === "") continue;
    yield text;
    text = "";
  }
  if (text.trim() !== "") yield text.trimEnd();
}
