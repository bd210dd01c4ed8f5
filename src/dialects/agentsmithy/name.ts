/** Under which name keys of this dialect are stored. A migration of the store writes it, too. */
export const DIALECT_NAME = "agentsmithy";
