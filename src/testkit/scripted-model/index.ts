/** A model that says what a test wants, over the APIs that agents use. */
export * from "./anthropic-messages.ts";
export * from "./choose-script.ts";
export * from "./model-api.ts";
export * from "./request-journal.ts";
export * from "./script.ts";
export * from "./start-scripted-model.ts";
