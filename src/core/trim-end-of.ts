/**
 * Cuts characters off the end of a text, in one pass. An expression such as `/[.\s]+$/` takes the square of the length for a
 * text that others choose.
 *
 * @example trimEndOf("Not found. \n", /[.\s]/); // => "Not found"
 */
export function trimEndOf(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}
