/** Says in plain words how an agent's process ended. */
import { errorText } from "../../core/error-text.ts";

export function exitText(
  code?: number | null,
  signal?: string | null,
  stderr?: string,
  error?: unknown,
): string {
  const how = signal ? `was ended by ${signal}` : code == null ? "is gone" : `exited with code ${code}`;
  const why = error === undefined ? "" : ` (${errorText(error)})`;
  const said = stderr?.trim() ?? "";
  const last = said && ` It last said:${said.includes("\n") ? "\n" : " "}${said}`;
  return `The agent ${how}${why} before its turn ended.${last}`;
}
