/** Notes in the ids of requests: by them an answer, and a replay, knows what a request was for. */

/** A change of settings that belongs to the opening of a thread: no person asked for it. */
export const OPENING_NOTE = "opening";

/** Begins the note of a request by which a person ends one command in the background; the id of its call follows. */
export const TASK_NOTE = "task:";

/** What a person said with an answer, on its way to the model: it is no prompt. */
export const WORDS_NOTE = "words";
