/** Exit codes of the reader. */

/** There are more bytes than are kept of a conversation. */
export const TOO_LARGE = 3;
