/** Refusals without the names of sessions that whoever gets them does not see. */
import { type ErrorCode, InterlinguaError } from "../../core/error.ts";

/** What refuses work on files may name sessions of others, about which nobody learns anything here. */
export async function withoutNames<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const detail = InterlinguaError.isInstance(error) ? NAMELESS[error.code] : undefined;
    throw detail === undefined ? error : new InterlinguaError((error as InterlinguaError).code, detail);
  }
}

const NAMELESS: Partial<Record<ErrorCode, string>> = {
  workspace_busy:
    "An agent works on these files, or waits for an answer. Stop it, or try again when its turn has ended.",
  checkpoint_not_found:
    "There is no such checkpoint, or it is no longer kept. Ask for the list of checkpoints.",
};
