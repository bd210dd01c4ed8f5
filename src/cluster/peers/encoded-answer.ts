/** The answer to a call as JSON: a result, or the error that was thrown, which becomes the same error again. Pure. */
import { ERROR_CODES, type ErrorCode, type ErrorExtras, InterlinguaError } from "../../core/error.ts";

export interface EncodedAnswer {
  status: number;
  body: string;
}

/** The status of an answer to what nobody listens for: the node has only begun, or is of another version. */
export const UNKNOWN_PATH = 501;

interface ProblemDocument extends Omit<ErrorExtras, "cause"> {
  code: ErrorCode;
  detail: string;
}

export function encodeResult(result: unknown): EncodedAnswer {
  return { status: 200, body: JSON.stringify({ result }) };
}

/** Of an error that is not ours the caller learns nothing: the log of this node has it. */
export function encodeProblem(error: unknown): EncodedAnswer {
  const known = InterlinguaError.isInstance(error)
    ? error
    : new InterlinguaError(
        "internal",
        "The daemon failed to handle this request. Its log says why; trying again may help.",
      );
  const { cause: _, ...extras } = known.extras;
  const problem: ProblemDocument = { ...extras, code: known.code, detail: known.message };
  return { status: known.status, body: JSON.stringify(problem) };
}

/** Throws the error that it holds. */
export function decodeAnswer({ status, body }: EncodedAnswer): unknown {
  const value = JSON.parse(body) as { result?: unknown } & Partial<ProblemDocument>;
  if (status === 200) return value.result;
  const { code, detail, ...extras } = value;
  throw code !== undefined && Object.hasOwn(ERROR_CODES, code)
    ? new InterlinguaError(code, detail ?? "", extras)
    : // A newer node may have codes that we do not.
      new InterlinguaError("internal", detail ?? "Another node failed to handle this request.");
}
