/** For cells of a table: the lines of a text, broken between words; a word longer than `width` is broken itself. */
export function wrapLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((word) => pieces(word, width))) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function pieces(word: string, width: number): string[] {
  if (word.length <= width) return [word];
  return [word.slice(0, width), ...pieces(word.slice(width), width)];
}
