/** `interlingua run PROMPT`: one turn of an agent, streamed to the terminal. */
import { text as readAll } from "node:stream/consumers";
import { splitText } from "../../core/split-text.ts";
import type { PromptInput } from "../../sdk/index.ts";
import type { CommandBody, Flags, Invocation } from "../command.ts";
import { endAtOnce, exitCodesText, TIMED_OUT } from "../exit-codes.ts";
import { type ExplainFailure, explainFailedTurn } from "../explain-daemon-lacks.ts";
import { daemonDirectory } from "../find-daemon.ts";
import { printNote } from "../output.ts";
import { readDuration } from "../read-duration.ts";
import { attachedFile } from "../run/attached-file.ts";
import { connectOrStart } from "../run/connect-or-start.ts";
import { FollowedTurn, STOP_MS } from "../run/followed-turn.ts";
import { pickSession } from "../run/pick-session.ts";
import { assertOneAnswer, directoryOf, TALK_OPTIONS } from "../run/talk-options.ts";
import { UsageError } from "../usage-error.ts";

const MAX_TITLE = 80;
/** Timers of Node go off at once after a little more. */
const MAX_TIMEOUT_MS = 24 * 86_400_000;

export const run: CommandBody = {
  positionals: ["[PROMPT]"],
  details: [
    "The answer goes to stdout, everything else to stderr. Without PROMPT, or with -, it is read from stdin.",
    "What the agent asks is answered at the terminal, or by --yes and --deny. Ctrl-C or SIGTERM stops the turn; a",
    "second one leaves it running. If no daemon runs, one is started in the background; it ends when unused.",
    "At a terminal a new session without --agent gets the daemon's configured default, else the agent used last,",
    "else the only one that is ready. With --json, --yes or --deny, or without a terminal: the daemon's default.",
    exitCodesText(),
  ].join("\n"),
  options: {
    ...TALK_OPTIONS,
    timeout: { type: "string", placeholder: "DURATION", help: "Stop the turn after this long: 90s, 10m" },
    attach: { type: "string", multiple: true, placeholder: "FILE", help: "Give this file along" },
    json: { type: "boolean", help: "Print the events of the turn, one JSON object per line" },
  },
  async run(invocation) {
    const { flags } = invocation;
    assertOneAnswer(flags);
    const timeoutMs = readTimeout(flags);
    const cwd = directoryOf(invocation);
    const input = await readInput(invocation);
    const unsent = timeoutMs === undefined ? undefined : setTimeout(endUnsent, timeoutMs + STOP_MS).unref();
    const client = await connectOrStart(invocation, () => cwd);
    const session = await pickSession(client, {
      flags,
      cwd,
      title: titleOf(input),
      dataDirectory: await daemonDirectory(invocation),
    });
    const explainFailure: ExplainFailure = (code) => explainFailedTurn(invocation, client, session, code);
    const onSend = () => clearTimeout(unsent);
    const options = { explainFailure, me: () => client.me(), timeoutMs, onSend };
    return endAtOnce(await new FollowedTurn(session, flags, options).follow(input));
  },
};

/** A daemon that does not answer would keep the command forever. No turn has begun that could be stopped. */
function endUnsent(): void {
  printNote(
    "--timeout: the daemon did not answer in time, and the prompt was not sent. Try: interlingua doctor",
  );
  process.exit(TIMED_OUT);
}

function readTimeout(flags: Flags): number | undefined {
  const timeoutMs = readDuration(flags, "timeout");
  if (timeoutMs !== undefined && timeoutMs > MAX_TIMEOUT_MS)
    throw new UsageError("--timeout: give at most 24d.");
  return timeoutMs;
}

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
