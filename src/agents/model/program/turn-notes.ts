/** What the model is told about a turn that did not end by itself. */

export const STOPPED = "[The turn was stopped by the user.]";
export const RESTARTED = "[The turn was interrupted by a restart.]";
