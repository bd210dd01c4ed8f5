/** How long invitations and the tokens they give may last. */

/** The most either may last. */
export const TOKEN_DAY_MS = 24 * 60 * 60 * 1000;
