/** `interlingua run PROMPT`: one turn of an agent, streamed to the terminal. */
import { text as readAll } from "node:stream/consumers";
import { splitText } from "../../core/split-text.ts";
import type { PromptInput } from "../../sdk/index.ts";
import type { CommandBody, Invocation } from "../command.ts";
import { type ExplainFailure, explainFailedTurn } from "../explain-daemon-lacks.ts";
import { daemonDirectory } from "../find-daemon.ts";
import { attachedFile } from "../run/attached-file.ts";
import { connectOrStart } from "../run/connect-or-start.ts";
import { FollowedTurn } from "../run/followed-turn.ts";
import { pickSession } from "../run/pick-session.ts";
import { assertOneAnswer, directoryOf, TALK_OPTIONS } from "../run/talk-options.ts";
import { UsageError } from "../usage-error.ts";

const MAX_TITLE = 80;

export const run: CommandBody = {
  positionals: ["[PROMPT]"],
  details: [
    "The answer goes to stdout, everything else to stderr. Without PROMPT, or with -, it is read from stdin.",
    "What the agent asks is answered at the terminal, or by --yes and --deny. Ctrl-C stops the turn; a second",
    "one leaves it running. If no daemon runs, one is started in the background; it ends when nothing uses it.",
    "Exit codes: 0 completed, 1 failed, 2 called wrongly, 3 an ask that nobody answered, 130 interrupted.",
  ].join("\n"),
  options: {
    ...TALK_OPTIONS,
    attach: { type: "string", multiple: true, placeholder: "FILE", help: "Give this file along" },
    json: { type: "boolean", help: "Print the events of the turn, one JSON object per line" },
  },
  async run(invocation) {
    const { flags } = invocation;
    assertOneAnswer(flags);
    const cwd = directoryOf(invocation);
    const input = await readInput(invocation);
    const client = await connectOrStart(invocation, () => cwd);
    const session = await pickSession(client, {
      flags,
      cwd,
      title: titleOf(input),
      dataDirectory: await daemonDirectory(invocation),
    });
    const explainFailure: ExplainFailure = (code) => explainFailedTurn(invocation, client, session, code);
    return new FollowedTurn(session, flags, { explainFailure, me: () => client.me() }).follow(input);
  },
};

async function readInput({ positionals, flags, cwd }: Invocation): Promise<PromptInput> {
  const [given] = positionals;
  const isPiped = given === undefined || given === "-";
  if (isPiped && process.stdin.isTTY)
    throw new UsageError('run needs a prompt: interlingua run "What does this project do?"');
  const text = (isPiped ? await readAll(process.stdin) : given).trim();
  if (text === "") throw new UsageError("run needs a prompt, and this one is empty.");
  const files = (flags.values.attach as string[] | undefined) ?? [];
  if (files.length === 0) return text;
  return [{ type: "text", text }, ...files.map((path) => attachedFile(cwd, path))];
}

/** The first line of the prompt, so that the session is known by it in lists. */
function titleOf(input: PromptInput): string | undefined {
  const text =
    typeof input === "string" ? input : input.flatMap((part) => (part.type === "text" ? part.text : []))[0];
  const [line = ""] = (text ?? "").split("\n", 1);
  const [start] = splitText(line, MAX_TITLE);
  return start === undefined || start === line ? start : `${start}…`;
}
