/**
 * Breaks a text between words into lines of at most `width` characters. What stands between backticks is one word: a
 * command has to be copied as a whole. A word that is longer than a line stays whole and is left to the terminal.
 */
export function wrapLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
