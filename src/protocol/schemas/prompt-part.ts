/** Parts of prompts on the wire. */
import { promptPartSchema as corePromptPartSchema } from "../../core/prompt-part.ts";
import { namedUnion } from "../named-schema.ts";

export const promptPartSchema = namedUnion("PromptPart", corePromptPartSchema);
