/** What is told of a write that failed. */
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";

/** Rejects with `store_unavailable` unless it is an error for people already. */
export async function written<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if (InterlinguaError.isInstance(error)) throw error;
    const reason = errorText(error).replace(/\.?$/, ".");
    throw new InterlinguaError("store_unavailable", `It could not be stored. ${reason}`, {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
}
