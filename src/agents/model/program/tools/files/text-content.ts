/** Text files as bytes and back, so that an edit changes nothing but what it means to. */
import { ToolFailure } from "../tool-failure.ts";

export interface TextContent {
  readonly text: string;
  /** Latin-1 stands for every other encoding of single bytes: each byte comes back as it was. */
  readonly encoding: "utf-8" | "latin1";
  readonly hasByteOrderMark: boolean;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Throws for files that are not text. Of a cut file the last character may be missing. */
export function decodeText(path: string, bytes: Buffer, options: { isCut?: boolean } = {}): TextContent {
  if (bytes.includes(0))
    throw new ToolFailure(
      "binary_file",
      `${JSON.stringify(path)} is not a text file in UTF-8. Look at it with run_command.`,
    );
  const hasByteOrderMark = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const content = hasByteOrderMark ? bytes.subarray(3) : bytes;
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const text = decoder.decode(content, { stream: options.isCut ?? false });
    return { text, encoding: "utf-8", hasByteOrderMark };
  } catch {
    return { text: bytes.toString("latin1"), encoding: "latin1", hasByteOrderMark: false };
  }
}

/** The bytes of a text in the form of the file it replaces. */
export function encodeText(path: string, text: string, form?: Omit<TextContent, "text">): Buffer {
  if (form?.encoding === "latin1") {
    const bytes = Buffer.from(text, "latin1");
    if (bytes.toString("latin1") !== text)
      throw new ToolFailure(
        "binary_file",
        `${JSON.stringify(path)} is not in UTF-8 and has no way to write these characters. Convert it with run_command first.`,
      );
    return bytes;
  }
  const bytes = Buffer.from(text);
  return form?.hasByteOrderMark && !bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)
    ? Buffer.concat([BYTE_ORDER_MARK, bytes])
    : bytes;
}
