/** Commands → lines of the agent's protocol. Pure. */
import type { AgentSettings } from "../../core/adapter.ts";
import { permissionModeSchema } from "../../core/capability.ts";
import type { Command, CommandOf } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import { assertOffered } from "../../core/offered-settings.ts";
import { promptText } from "../../core/prompt-part.ts";
import { withContextAsText } from "../transport/context-text.ts";
import { settleModes } from "../transport/shared-modes.ts";
import type { Encoder } from "../transport/translator.ts";
import type { ModelState } from "./conversation-state.ts";
import { PERMISSIONS, SETTINGS } from "./manifest.ts";
import type {
  AnswerParams,
  OpenParams,
  PromptParams,
  WireConfiguration,
  WireEffort,
  WirePermissions,
  WireRequest,
} from "./wire.ts";

type Call = WireRequest extends infer Some ? (Some extends WireRequest ? Omit<Some, "id"> : never) : never;

/** The encoder of one session; what it is opened with goes into the first line. */
export function createInbound(title: string, params: OpenParams): Encoder<ModelState> {
  return {
    open({ opening, nextRequest }) {
      if (opening === "ready") return { step: "ready" };
      if (opening === "sent") return { step: "wait" };
      if (opening !== "new") return { step: "failed", reason: opening.failed.message };
      return { step: "send", lines: [line(nextRequest, { method: "open", params })] };
    },
    unansweredChanges: ({ requests }) =>
      [...requests].filter(([, { method }]) => method === "configure").map(([id]) => id),
    encode: (state, command) => [line(state.nextRequest, toCall(title, command))],
  };
}

function line(id: number, call: Call): string {
  return JSON.stringify({ id, ...call });
}

function toCall(title: string, command: Command): Call {
  switch (command.type) {
    case "prompt":
      return { method: "prompt", params: promptParams(command) };
    case "interrupt":
      return { method: "interrupt", params: {} };
    case "reply":
      return { method: "answer", params: answerParams(command) };
    case "configure":
      return { method: "configure", params: toWireConfiguration(title, command) };
    case "rewind":
      return { method: "rewind", params: { before: command.before } };
    case "stopTask":
      throw new InterlinguaError("unsupported", `${title} has no tasks that could be ended one by one.`);
  }
}

/** Throws for what the agent does not have. */
export function toWireConfiguration(title: string, wanted: AgentSettings): Partial<WireConfiguration> {
  const { model, permissionMode, settings } = settleModes(title, wanted);
  assertOffered(title, SETTINGS, settings);
  return {
    model,
    permissions: permissionMode === undefined ? undefined : knownMode(title, permissionMode),
    effort: settings?.effort as WireEffort | undefined,
  };
}

function knownMode(title: string, name: string): WirePermissions {
  const known = permissionModeSchema.safeParse(name);
  if (known.success) return PERMISSIONS[known.data];
  const names = Object.keys(PERMISSIONS).join(", ");
  throw new InterlinguaError(
    "unsupported",
    `${title} has no permission mode "${name}"; use one of ${names}.`,
  );
}

function promptParams({ message, parts, steer }: CommandOf<"prompt">): PromptParams {
  return {
    prompt: message,
    text: promptText(withContextAsText(parts)),
    ...(!steer && { title: promptTitle(promptText(parts)) }),
    files: parts.flatMap((part) =>
      part.type === "file" ? [{ url: part.url, mediaType: part.mediaType, filename: part.filename }] : [],
    ),
    ...(steer && { steer }),
  };
}

const MAX_TITLE_LENGTH = 60;
/** Of a line, in which a title is looked for. */
const MAX_LINE_LENGTH = 1000;

/** The first line that says something; undefined where none does. */
function promptTitle(text: string): string | undefined {
  const [first = ""] = text
    .trimStart()
    .slice(0, MAX_LINE_LENGTH)
    .split(/[\r\n]/, 1);
  const characters = [...first.replaceAll(/[\s\p{C}]+/gu, " ").trim()];
  if (characters.length <= MAX_TITLE_LENGTH) return characters.join("") || undefined;
  return `${characters
    .slice(0, MAX_TITLE_LENGTH - 1)
    .join("")
    .trimEnd()}…`;
}

function answerParams({ ask, option, effect, answers, message, input }: CommandOf<"reply">): AnswerParams {
  return { ask, option, effect, answers, note: message, input };
}
