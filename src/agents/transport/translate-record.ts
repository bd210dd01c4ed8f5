/** Runs a translator so that a fault in it costs the meaning of one record, never the session. */
import { errorText } from "../../core/error-text.ts";
import { unreadable } from "./line-text.ts";
import type { RecordInput, Translation, Translator } from "./translator.ts";

export function translateRecord<State>(
  translator: Translator<State>,
  state: State,
  record: RecordInput,
): Translation<State> {
  try {
    return translator.translate(state, record);
  } catch (error) {
    const reason = errorText(error);
    return [state, [unreadable("translation-failed", reason)]];
  }
}
