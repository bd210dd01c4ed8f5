/** How a tool fails: a code for programs and a sentence for the model, which says what to do instead. */
import type { ToolResult } from "./tool.ts";

/** Tools whose failures have a type of their own; all others give `tool_error`. */
const ERROR_TYPES: Readonly<Record<string, string>> = {
  read_file: "read_file_error",
  list_files: "list_files_error",
  search_files: "search_files_error",
  run_command: "run_command_error",
  web_fetch: "web_browse_error",
  web_search: "web_search_error",
};

export type ToolFailureCode =
  | "aborted"
  | "ambiguous"
  | "binary_file"
  | "changed_meanwhile"
  | "exception"
  | "invalid_argument"
  | "no_match"
  | "not_a_directory"
  | "not_a_file"
  | "not_configured"
  | "not_found"
  | "outside_directory"
  | "permission_denied"
  | "refused_address"
  | "request_failed"
  | "timeout"
  | "too_large"
  | "too_many_redirects"
  | "unsupported_content";

export interface ToolFailureOptions {
  /** Instead of the tool's usual type of failure. */
  readonly type?: string;
  /** Further fields of the result. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly details?: unknown;
  readonly cause?: unknown;
}

export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly code: ToolFailureCode;
  readonly #options: ToolFailureOptions;

  constructor(code: ToolFailureCode, message: string, options: ToolFailureOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.#options = options;
  }

  /** What the model gets instead of a result. */
  toResult(name: string): ToolResult {
    const { type = ERROR_TYPES[name] ?? "tool_error", fields, details } = this.#options;
    return {
      type,
      name,
      ...fields,
      code: this.code,
      error: this.message,
      ...(details !== undefined && { details }),
    };
  }
}

/** An error of the file system, in words. `path` as the model gave it. */
export function fileFailure(path: string, error: unknown): ToolFailure {
  if (error instanceof ToolFailure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const failure = (name: ToolFailureCode, text: string) =>
    new ToolFailure(name, `${JSON.stringify(path)} ${text}`, { cause: error });
  switch (code) {
    case "ENOENT":
      return failure("not_found", "does not exist.");
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return failure("permission_denied", "may not be used: the system denies it.");
    case "ENOTDIR":
      return failure("not_a_directory", "is not a directory, or not below one.");
    case "EISDIR":
      return failure("not_a_file", "is a directory.");
    case "ENXIO":
      return failure("not_a_file", "is not a regular file.");
    case "ELOOP":
    case "EMLINK":
      return failure("changed_meanwhile", "became a link, or its links go in a circle.");
    case "ENAMETOOLONG":
      return failure("invalid_argument", "is too long for a path.");
    default:
      // After the comma the system names the path that we used.
      return new ToolFailure("exception", `${JSON.stringify(path)}: ${message.split(",")[0]}.`, {
        cause: error,
      });
  }
}
