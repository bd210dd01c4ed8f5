/** Cuts a text into pieces of about this length. The two halves of a character stay together. */
export function* splitText(text: string, length: number): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + length, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
