/** How clients of AgentSmithy read a conversation: the response to each prompt, and the history with its tool results. */
import type { EventOf, SessionEvent } from "../../../src/core/event.ts";
import { foldMessages } from "../../../src/core/fold-messages.ts";
import { historyEntries } from "../../../src/dialects/agentsmithy/history-events.ts";
import { ResponseView } from "../../../src/dialects/agentsmithy/outbound.ts";
import { toolResults } from "../../../src/dialects/agentsmithy/tool-results.ts";
import type { Frame } from "../../../src/dialects/dialect.ts";
import type {
  PartOf,
  Story,
  Transcript,
  TranscriptContract,
  TranscriptMessage,
  TranscriptPart,
} from "../../../src/testkit/dialect-contract/index.ts";
import { agentSmithyHistoryDrops, agentSmithyResponseDrops } from "./agentsmithy-drops.ts";
import { dataOf } from "./data-of.ts";

/** An event of the stream or of the history. */
interface SmithyJson {
  type: string;
  content?: string;
  checkpoint?: string;
  id?: string;
  name?: string;
  args?: unknown;
  file?: string;
  diff?: string;
  error?: string;
}

/** As the route gives one. */
export interface SmithyToolResult {
  call: string;
  result: unknown;
  error?: string;
}

export interface SmithyHistory {
  readonly events: readonly SmithyJson[];
  readonly results: readonly SmithyToolResult[];
}

/** Where the sessions of logs without a daemon work. */
const CWD = "/project";

export const smithyResponses = createSmithyResponses(CWD);
export const smithyHistory = createSmithyHistory(CWD);

/** @param cwd Where the session works. */
export function createSmithyResponses(cwd: string): TranscriptContract {
  return {
    name: "response",
    fold: (frames) => foldEvents(frames.map(({ text }) => JSON.parse(dataOf(text)))),
    drops: agentSmithyResponseDrops(cwd),
    *stories(log) {
      for (const event of log) if (event.type === "prompt.accepted") yield* responseTo(event, log, cwd);
    },
  };
}

/** @param cwd Where the session works. */
export function createSmithyHistory(cwd: string): TranscriptContract<SmithyHistory> {
  return {
    name: "history",
    fold: ({ events, results }) => foldEvents(events, results),
    drops: agentSmithyHistoryDrops(cwd),
    *stories(log) {
      const options = { cwd, page: "http://page/", canApprovePlans: true };
      const records = foldMessages(log);
      const events = records.flatMap((record) =>
        historyEntries(record, 1, options).map(({ event }) => event),
      );
      const results = records.flatMap((record) => toolResults(record));
      yield { shown: JSON.parse(JSON.stringify({ events, results })), log };
    },
  };
}

/** No client of this wire steers, and one whose prompt waits behind an ask is told only that. */
export function* responseTo(
  { message, seq }: EventOf<"prompt.accepted">,
  log: readonly SessionEvent[],
  cwd: string,
): Generator<Story<readonly Frame[]>> {
  const view = new ResponseView({ dialog: "01J", cwd, page: "http://page/", to: { prompt: message } });
  const shown: Frame[] = [];
  const dispatched = log.find((event) => event.type === "prompt.dispatched" && event.message === message);
  if (dispatched?.type !== "prompt.dispatched" || dispatched.steered) return;
  for (const [place, event] of log.entries()) {
    if (event.seq < seq) continue;
    shown.push(...view.add(event));
    if (!view.isDone) continue;
    if (event.seq < dispatched.seq) return;
    const { turn } = dispatched;
    yield { shown, log: log.slice(0, place + 1), includes: (told) => told.turn === turn };
    return;
  }
}

/** The texts of segments, and whole ones of the history, are the same parts. */
export function foldEvents(
  events: readonly SmithyJson[],
  results: readonly SmithyToolResult[] = [],
): Transcript {
  const fold = new SmithyFold(results);
  for (const event of events) fold.add(event);
  return fold.messages;
}

class SmithyFold {
  readonly messages: TranscriptMessage[] = [];
  readonly #results: ReadonlyMap<string, SmithyToolResult>;
  #text: { type: "text" | "reasoning"; text: string } | undefined;

  constructor(results: readonly SmithyToolResult[]) {
    this.#results = new Map(results.map((result) => [result.call, result]));
  }

  add(event: SmithyJson): void {
    switch (event.type) {
      case "user": {
        const { content = "", checkpoint } = event;
        this.messages.push({ role: "user", checkpoint, content: [{ type: "text", text: content }] });
        return;
      }
      case "chat_start":
      case "reasoning_start":
        this.#text = { type: event.type === "chat_start" ? "text" : "reasoning", text: "" };
        return this.#write(this.#text);
      case "chat_end":
      case "reasoning_end":
        this.#text = undefined;
        return;
      case "chat":
      case "reasoning": {
        const { content: text = "" } = event;
        if (this.#text) this.#text.text += text;
        else this.#write({ type: event.type === "chat" ? "text" : "reasoning", text });
        return;
      }
      case "tool_call":
        return this.#write(this.#called(event));
      case "file_edit":
        return this.#write({ type: "file_edit", path: event.file!, diff: event.diff });
      case "summary_start":
        return this.#write({ type: "compaction" });
      case "error": {
        const answer = this.#answer();
        const error = { code: "", message: event.error! };
        this.messages[this.messages.length - 1] = { ...answer, outcome: "failed", error };
      }
    }
  }

  #called({ id: call, name = "", args: input }: SmithyJson): PartOf<"called"> {
    const found = call === undefined ? undefined : this.#results.get(call);
    if (!found) return { type: "called", call, name, input };
    const { error, result: output } = found;
    const result =
      error === undefined ? ({ state: "done", output } as const) : ({ state: "failed", error } as const);
    return { type: "called", call, name, input, result };
  }

  #write(part: TranscriptPart): void {
    (this.#answer().content as TranscriptPart[]).push(part);
  }

  #answer(): TranscriptMessage {
    const last = this.messages.at(-1);
    if (last?.role === "assistant") return last;
    const answer: TranscriptMessage = { role: "assistant", content: [] };
    this.messages.push(answer);
    return answer;
  }
}
