/** What single agents do in their own way, found in recordings of them. Nothing here depends on an agent's name. */
import { type JsonObject, objectOf, textOf } from "./loose.ts";

/** Gemini confirms `session/set_mode` with a line of text. */
const MODE_ANNOUNCEMENT = /^\[MODE_UPDATE\] (\S+)\s*$/;

export function modeAnnouncedIn(text: string): string | undefined {
  return text.startsWith("[MODE_UPDATE] ") ? MODE_ANNOUNCEMENT.exec(text)?.[1] : undefined;
}

/** The tool's name: the protocol has a place for it since lately; before, each agent had its own. */
export function toolNameOf(update: JsonObject): string | undefined {
  const meta = objectOf(update._meta);
  return (
    textOf(update.name) ??
    textOf(objectOf(meta.claudeCode).toolName) ??
    textOf(meta.toolName) ??
    textOf(objectOf(meta["x.ai/tool"]).name)
  );
}

/** Claude marks what a sub-agent says with the call that started it. */
export function parentOf(update: JsonObject): string | undefined {
  return textOf(objectOf(objectOf(update._meta).claudeCode).parentToolUseId);
}

/** Codex and pi run commands themselves and only show what they write. */
export function terminalTextOf(update: JsonObject): string | undefined {
  const meta = objectOf(update._meta);
  return textOf(objectOf(meta.terminal_output_delta).data) ?? textOf(objectOf(meta.terminal_output).data);
}

export function exitCodeOf(update: JsonObject): number | null | undefined {
  const code =
    objectOf(update.rawOutput).exit_code ?? objectOf(objectOf(update._meta).terminal_exit).exit_code;
  return typeof code === "number" && Number.isInteger(code) ? code : undefined;
}

/** Codex and pi tell when they rest, which the protocol has no word for. */
export function saysIdle(update: JsonObject): boolean {
  const meta = objectOf(update._meta);
  const status = objectOf(objectOf(meta.codex).threadStatus).type;
  return status === "idle" || objectOf(meta.piAcp).running === false;
}
