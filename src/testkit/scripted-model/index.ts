/** A model that says what a test wants, over the APIs that agents use. */
export { anthropicMessages } from "./anthropic-messages.ts";
export { type ChooseScript, chooseByTag, type ScriptChoice } from "./choose-script.ts";
export { gemini } from "./gemini.ts";
export type {
  JsonObject,
  ModelApi,
  ModelMessage,
  ModelRequest,
  ReplyEnding,
  ReplyOptions,
  ReplyStream,
} from "./model-api.ts";
export { openAiChat } from "./openai-chat.ts";
export { openAiResponses } from "./openai-responses.ts";
export type { JournalEntry } from "./request-journal.ts";
export type { Beat, Reply, Script, ScriptContext, StopReason } from "./script.ts";
export {
  disconnect,
  freeformToolCall,
  hang,
  httpError,
  inPieces,
  redactedThinking,
  slow,
  stop,
  streamError,
  text,
  thinking,
  toolCall,
  unparsableToolCall,
  usage,
} from "./script.ts";
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./start-scripted-model.ts";
