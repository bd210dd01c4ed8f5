/**
 * Stands for plugins of Markdown that streamdown would run by default and that the page switches off (`vite.config.ts`):
 * whoever switches them on again gets an error, not HTML without a check.
 */
export default function noPlugin(): never {
  throw new Error("The page is built without this plugin.");
}

export const Lexer = noPlugin;
export const harden = noPlugin;
export const markdownTable = noPlugin;
export const defaultHandlers = {};
export const defaultSchema = {};
