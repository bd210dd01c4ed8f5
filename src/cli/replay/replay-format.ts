/** What a replay can be printed as. */
export const REPLAY_FORMATS = ["events", "messages", "ai-sdk", "raw"] as const;

export type ReplayFormat = (typeof REPLAY_FORMATS)[number];
