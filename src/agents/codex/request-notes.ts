/** Notes in the ids of requests: by them an answer, and a replay, knows what a request was for. */

/** A change of settings that belongs to the opening of a thread: no person asked for it. */
export const OPENING_NOTE = "opening";

/** What a person said with an answer, on its way to the model: it is no prompt. */
export const WORDS_NOTE = "words";
