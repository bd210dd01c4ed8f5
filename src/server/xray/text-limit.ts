/** Longer texts of records and frames are cut, in characters: a line of an agent may have many megabytes. */
export const MAX_TEXT_LENGTH = 256 * 1024;
