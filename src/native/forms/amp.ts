/** Amp: the lines of `--stream-json`, which are the messages of its SDK. */
import { promptInput } from "../../agents/amp/inbound.ts";
import { fieldsOf, type NativeForm, textOf } from "../form.ts";
import { createStreamJsonReader } from "./stream-json.ts";

export const amp: NativeForm = {
  createReader: createStreamJsonReader,
  idOf: ({ message }) => textOf(fieldsOf(message).id),
  toInput: promptInput,
};
