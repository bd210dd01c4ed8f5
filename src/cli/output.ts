/** Writing to the terminal or to whatever stdout is. */
import { wrapText } from "./word-wrap.ts";

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One line on stderr, so that it never mixes with what was asked for. At a terminal it is broken between words. */
export function printNote(text: string): void {
  const columns = process.stderr.isTTY ? process.stderr.columns : undefined;
  process.stderr.write(`${wrapText(`interlingua: ${text}`, columns)}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** The width to fit tables into; undefined when nobody looks at them. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}

/** `interlingua tail s | head -1`: a reader that closes early is not an error. Notes are for whoever still reads them. */
export function leaveQuietlyOnBrokenPipe(): void {
  process.stderr.on("error", () => {});
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}

/** For a program that keeps running when nobody reads its output any more. */
export function ignoreBrokenPipe(): void {
  process.stdout.removeAllListeners("error");
  process.stdout.on("error", () => {});
}
