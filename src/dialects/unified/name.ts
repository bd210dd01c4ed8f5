/** The name of the dialect, in commands, logs and keys. */
export const DIALECT_NAME = "unified";
