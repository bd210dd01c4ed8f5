/**
 * Whoever allows something has to see all of it: white space that is none to a shell, signs without width, and those that
 * turn the direction of a line are spelled out. Spaces, tabs and line breaks stay.
 */
export function withVisibleCharacters(text: string): string {
  return text.replaceAll(
    /(?![ \n\t])[\p{C}\p{Z}\u{3164}\u{ffa0}\u{115f}\u{1160}\u{2800}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
