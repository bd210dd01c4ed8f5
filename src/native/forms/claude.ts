/** Claude Code: the lines of `--output-format stream-json`, which are the messages of its SDK. */
import { INITIAL_STATE } from "../../agents/claude/conversation-state.ts";
import { promptLine } from "../../agents/claude/inbound/prompt.ts";
import { type NativeForm, textOf } from "../form.ts";
import { createStreamJsonReader } from "./stream-json.ts";

export const claude: NativeForm = {
  createReader: createStreamJsonReader,
  idOf: ({ uuid }) => textOf(uuid),
  toInput(parts) {
    const {
      uuid: _uuid,
      interlingua: _own,
      ...line
    } = promptLine(INITIAL_STATE, {
      type: "prompt",
      message: "",
      parts: [...parts],
    });
    return line;
  },
};
