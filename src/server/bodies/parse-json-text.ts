/** Parses a message of JSON within the limits of request bodies. */
import { InterlinguaError } from "../../core/error.ts";
import { JsonComplexity } from "./json-complexity.ts";
import { type BodyLimits, MAX_DEPTH } from "./read-json-body.ts";

/** Its size was limited where it was received. */
export function parseJsonText(text: string, { maxValues }: Pick<BodyLimits, "maxValues">): unknown {
  const complexity = new JsonComplexity();
  complexity.add(Buffer.from(text));
  if (complexity.deepest > MAX_DEPTH)
    throw invalid(
      "nested too deeply",
      `The message is nested more than ${MAX_DEPTH} levels. Send it flatter.`,
    );
  if (complexity.values > maxValues)
    throw new InterlinguaError(
      "body_too_complex",
      `The message has more than ${maxValues} keys and values, which is the most that is taken here. Send fewer.`,
    );
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(
      "not valid JSON",
      `The message is not valid JSON (${(error as Error).message}). Send one JSON object.`,
    );
  }
}

function invalid(message: string, detail: string): InterlinguaError {
  return new InterlinguaError("invalid_request", detail, { errors: [{ path: "", message }] });
}
