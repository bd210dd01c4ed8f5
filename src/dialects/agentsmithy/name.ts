/** The name under which keys of this dialect are stored. */
export const DIALECT_NAME = "agentsmithy";
