/** What AgentSmithy's wire does not say of a conversation. */
import { resolve } from "node:path";
import {
  amend,
  joinNeighbours,
  mapContent,
  mapMessages,
  mapParts,
  omit,
  withoutFields,
  withoutParts,
} from "../../../src/testkit/dialect-contract/drops.ts";
import type {
  AskPart,
  CallPart,
  PartOf,
  TranscriptMessage,
  TranscriptPart,
} from "../../../src/testkit/dialect-contract/transcript.ts";
import type { Drop } from "../../../src/testkit/dialect-contract/transcript-contract.ts";

const KEPT: ReadonlySet<string> = new Set([
  "text",
  "reasoning",
  "called",
  "file_edit",
  "ask",
  "answered",
  "compaction",
]);

/** Also of sub-agents. */
const OF_ALL: ReadonlySet<string> = new Set(["file_edit", "ask", "answered"]);

/** Of responses and of the history. */
const ofBoth = (cwd: string): readonly Drop[] => [
  {
    what: "files and contexts of a prompt",
    why: "a `user` event is text",
    apply: mapMessages((message) =>
      message.role === "user" ? { ...message, content: wordsOf(message) } : message,
    ),
  },
  {
    what: "what made the agent begin by itself",
    why: "there is no event for it",
    apply: (transcript) => transcript.filter(({ role }) => role !== "system"),
  },
  {
    what: "what a call is while its input still comes",
    why: "`tool_call` has name and arguments as they were when the input was complete",
    apply: mapContent((content) => {
      const calls = new Map(
        content.flatMap((part) => (part.type === "call" ? [[part.call, part] as const] : [])),
      );
      return content.map((part) =>
        part.type === "called" ? { ...part, result: resultOf(calls.get(part.call)) } : part,
      );
    }),
  },
  {
    what: "what sub-agents and tasks say and do, but for the files they change and what sub-agents ask",
    why: "there is one speaker on this wire",
    apply: mapContent((content) =>
      content.filter((part) => !("task" in part) && (OF_ALL.has(part.type) || !("parent" in part))),
    ),
  },
  {
    what: "files, sources, notices, plans and summaries of calls",
    why: "there is no event for them",
    apply: mapContent((content) => content.filter(({ type }) => KEPT.has(type))),
  },
  {
    what: "asks of background work",
    why: "the turn goes on, and a response would end there",
    apply: mapContent((content) => content.filter((part) => part.type !== "ask" || !part.isBeside)),
  },
  {
    what: "what kind of change a file had, and by which call",
    why: "`file_edit` has an absolute path and a diff; a moved file is two of them",
    apply: mapContent((content) =>
      content.flatMap((part) => (part.type === "file_edit" ? editsOf(part, cwd) : [part])),
    ),
  },
  {
    what: "arguments that are no object",
    why: "on this wire they are one: any other value is its `input`",
    apply: mapParts("called", (part) => ({ ...part, input: argumentsOf(part.input) })),
  },
];

/** After what is left out between them. */
const TEXTS: readonly Drop[] = [
  {
    what: "whether two pieces between which nothing is shown are one text, what a text is for, and that it was taken back",
    why: "segments have no ids",
    apply: (transcript) => {
      const shown = mapContent((content) => content.filter((part) => !("text" in part) || part.text !== ""));
      const bare = (type: "text" | "reasoning") =>
        withoutFields(type, "part", "purpose", "isOpen", "isDiscarded");
      return bare("text")(bare("reasoning")(joinNeighbours(shown(transcript))));
    },
  },
];

const ASKS: Drop = {
  what: "asks, but as text",
  why: "there is no event for them: title, description, proposed changes, questions and options are said, with where to answer",
  apply: (transcript, read) =>
    transcript.map((message, place) => ({
      ...message,
      content: message.content.map((part, index) => {
        const shown = read[place]?.content[index];
        return part.type === "ask" && shown?.type === "text" && says(shown.text, part) ? shown : part;
      }),
    })),
};

const MESSAGES: Drop = {
  what: "ids and times of messages, which turn they are of, who answers with which model, and what a turn cost",
  why: "there are no fields for them; what an agent says up to the next `user` is one answer",
  apply: (transcript) => {
    const joined: TranscriptMessage[] = [];
    for (const { role, content, checkpoint, error, outcome } of transcript) {
      const last = joined.at(-1);
      const message = { role, content, ...(checkpoint !== undefined && { checkpoint }), error, outcome };
      if (role === "assistant" && last?.role === "assistant")
        joined[joined.length - 1] = { ...message, content: [...last.content, ...content] };
      else joined.push(message);
    }
    return joined.filter(({ role, content, outcome }) => role === "user" || content.length > 0 || outcome);
  },
};

/** The response to one prompt. */
export const agentSmithyResponseDrops = (cwd: string): readonly Drop[] => [
  ...ofBoth(cwd),
  {
    what: "who answered an ask and how",
    why: "a response ends at an ask; the next one begins with the words of an answer to a question or a plan",
    apply: withoutParts("answered"),
  },
  {
    what: "results of calls",
    why: "`tool_call` comes before there is one; the list of tool results has them",
    apply: withoutFields("called", "result", "call"),
  },
  {
    what: "what a compaction has done",
    why: "`summary_start` and `summary_end` say only that there is one",
    apply: mapParts("compaction", () => ({ type: "compaction" })),
  },
  ...TEXTS,
  {
    what: "prompts that steer the turn",
    why: "the response is that of the first prompt; the history has them",
    apply: (transcript) => transcript.filter(({ role }, place) => place === 0 || role === "assistant"),
  },
  {
    what: "how a turn ended, but for an error",
    why: "`done` is the end of every response",
    apply: mapMessages(({ outcome, error, ...message }) => {
      if (outcome === undefined || outcome === "completed") return message;
      return {
        ...message,
        outcome: "failed",
        error: { code: "", message: error?.message ?? ENDINGS[outcome] },
      };
    }),
  },
  MESSAGES,
  ASKS,
];

const ENDINGS = {
  interrupted: "The turn was stopped.",
  failed: "The turn failed.",
  refused: "The model refused to answer.",
  limit: "The turn ended because a limit was reached.",
};

/** The history of a dialog, with its tool results. */
export const agentSmithyHistoryDrops = (cwd: string): readonly Drop[] => [
  {
    what: "the result of a call as it was before the agent changed it",
    why: "the list has what stands",
    apply: amend,
  },
  ...ofBoth(cwd),
  {
    what: "who answered an ask and how, but for the words of an answer to a question or a plan",
    why: "such an answer is a `user` event; permissions are given elsewhere",
    apply: (transcript) => transcript.flatMap(splitAtAnswers),
  },
  ...TEXTS,
  {
    what: "compactions",
    why: "the events of a history have none for them",
    apply: withoutParts("compaction"),
  },
  {
    what: "how a turn ended",
    why: "the history has what was said",
    apply: mapMessages((message) => omit(message, ["outcome", "error"])),
  },
  MESSAGES,
  ASKS,
];

function wordsOf({ content }: TranscriptMessage): TranscriptPart[] {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return [{ type: "text", text: texts.join("\n") }];
}

function resultOf(call: CallPart | undefined): PartOf<"called">["result"] {
  if (!call?.result) return undefined;
  const { state, output, error } = call.result;
  if (state === "done") return { state, output: output ?? null };
  return { state: "failed", error: error ?? "The call was not allowed." };
}

function editsOf({ path, from, diff }: PartOf<"file_edit">, cwd: string): TranscriptPart[] {
  const file = resolve(cwd, path);
  const hunks = diff?.split("\n").slice(headerLines(diff)).join("\n");
  const edit: TranscriptPart = {
    type: "file_edit",
    path: file,
    ...(hunks && { diff: `--- a/${file}\n+++ b/${file}\n${hunks}` }),
  };
  return from === undefined ? [edit] : [{ type: "file_edit", path: resolve(cwd, from) }, edit];
}

/** How many lines stand before the first hunk. */
function headerLines(diff: string): number {
  const first = diff
    .split("\n")
    .findIndex(
      (line) => !/^(diff|index|---|\+\+\+|(old|new|deleted)( file)? mode|similarity|rename|copy) /.test(line),
    );
  return Math.max(first, 0);
}

function argumentsOf(input: unknown): unknown {
  if (input === undefined || input === null) return {};
  return typeof input === "object" && !Array.isArray(input) ? input : { input };
}

/** Everything that a person has to know is in the text. */
function says(text: string, { title, description, options = [], questions = [] }: AskPart): boolean {
  const asked = questions.flatMap((question) => [
    question.text,
    ...(question.options ?? []).map(({ label }) => label),
  ]);
  const offered = questions.length > 0 ? asked : options.map(({ label }) => label);
  return [title, description, ...offered].every((words) => words === undefined || text.includes(words));
}

/** An answer to a question or a plan is a message of the person, where it was given. */
function splitAtAnswers(message: TranscriptMessage): TranscriptMessage[] {
  const messages: TranscriptMessage[] = [];
  let content: TranscriptPart[] = [];
  const asks = new Map(
    message.content.flatMap((part) => (part.type === "ask" ? [[part.ask!, part] as const] : [])),
  );
  for (const part of message.content) {
    const ask = part.type === "answered" ? asks.get(part.ask) : undefined;
    if (part.type !== "answered") content.push(part);
    if (!ask || ask.kind === "permission" || (part as PartOf<"answered">).isExpired) continue;
    messages.push(
      { ...message, content },
      { role: "user", content: [{ type: "text", text: answerOf(ask) }] },
    );
    content = [];
  }
  return [...messages, { ...message, content }];
}

function answerOf({ answer = {}, options = [], questions = [] }: AskPart): string {
  const { option, answers = {} } = answer;
  if (option !== undefined) return options.find(({ id }) => id === option)?.label ?? option;
  const given = questions.length > 0 ? questions.map(({ id }) => answers[id] ?? []) : Object.values(answers);
  return given.map((values) => values.join(", ")).join("\n");
}
