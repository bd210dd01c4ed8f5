/**
 * What a terminal would show of a program's output, as texts with the names of their colours. Everything else that an
 * escape sequence can do (titles, links, moving the cursor, hiding text) is left out. Pure.
 */
import Anser from "anser";

export interface TerminalSpan {
  text: string;
  /** Classes of `styles.css`; empty for plain text. */
  className: string;
}

const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
/** Commands to the terminal with a text of their own: titles, links, pictures. */
const STRINGS = new RegExp(`${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?`, "g");
/** Everything but colours: those end in m. */
const MOVES = new RegExp(`${ESCAPE}\\[[0-?]*[ -/]*[@-ln-~]|${ESCAPE}[ -/]*[0-Z\\\\-~]`, "g");
/** What is left of control characters, but for tabs, lines and the beginning of a colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g;

/** So many are told apart; a text with more is shown in one colour. */
const MAX_SPANS = 3_000;

export function terminalSpans(output: string): TerminalSpan[] {
  const text = shownLines(output).replace(STRINGS, "").replace(MOVES, "").replace(CONTROLS, "");
  if (!text.includes(ESCAPE)) return [{ text, className: "" }];
  const entries = Anser.ansiToJson(text, { use_classes: true, remove_empty: true, json: true });
  if (entries.length > MAX_SPANS)
    return [{ text: entries.map(({ content }) => content).join(""), className: "" }];
  return entries.map(({ content, fg, bg, fg_truecolor, bg_truecolor, decorations }) => ({
    text: content.replaceAll(ESCAPE, ""),
    className: [
      colourOf(fg, fg_truecolor, "text"),
      colourOf(bg, bg_truecolor, "on"),
      ...decorations.flatMap((name) => DECORATIONS[name] ?? []),
    ]
      .filter(Boolean)
      .join(" "),
  }));
}

/** A line that was written over again and again, such as a bar of progress, is shown as it was left. */
function shownLines(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => {
      const end = line.endsWith("\r") ? line.slice(0, -1) : line;
      return end.slice(end.lastIndexOf("\r") + 1);
    })
    .join("\n");
}

/** Text is never hidden and never blinks. */
const DECORATIONS: Readonly<Record<string, string>> = {
  bold: "font-semibold",
  dim: "opacity-75",
  italic: "italic",
  underline: "underline",
  strikethrough: "line-through",
};

/** The name of the class; colours beyond the sixteen get the nearest of them, which can be read in every theme. */
function colourOf(name: string | null, rgb: string | null, use: "text" | "on"): string {
  if (!name) return "";
  const [, basic] = /^ansi-(?:bright-)?(black|red|green|yellow|blue|magenta|cyan|white)$/.exec(name) ?? [];
  if (basic !== undefined) return `ansi-${use}-${basic}`;
  const palette = /^ansi-palette-(\d+)$/.exec(name)?.[1];
  const parts = palette === undefined ? (rgb ?? "").split(",").map(Number) : paletteColour(Number(palette));
  const [red = 0, green = 0, blue = 0] = parts;
  const nearest = nearestOf(red, green, blue);
  return nearest === "" ? "" : `ansi-${use}-${nearest}`;
}

/** The colours 16 to 255 of a terminal: a cube, and shades of grey. */
function paletteColour(index: number): [number, number, number] {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const at = Math.max(0, index - 16);
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  return [level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)];
}

function nearestOf(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (!(range > 40)) return "";
  const hue =
    most === red
      ? ((green - blue) / range + 6) % 6
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  return ["red", "yellow", "green", "cyan", "blue", "magenta"][Math.round(hue) % 6]!;
}
