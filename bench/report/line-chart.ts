/** A chart of lines as the text of an SVG. Readable on a light and on a dark page: no background, colours of middle lightness. */

export interface Line {
  readonly name: string;
  readonly colour: string;
  readonly isDashed?: boolean;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Chart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly Line[];
}

const WIDTH = 720;
const HEIGHT = 380;
const PLOT = { left: 76, right: 540, top: 48, bottom: 324 };
const TEXT = "#7d8590";
const GRID = "#7d859055";
const LINE_HEIGHT = 15;

interface Scale {
  readonly ticks: readonly number[];
  place(value: number): number;
}

export function drawChart({ title, xLabel, yLabel, lines }: Chart): string {
  const points = lines.flatMap((line) => line.points);
  const x = logarithmic([...new Set(points.map((point) => point.x))], PLOT.left + 12, PLOT.right - 12);
  const y = yScale(points.map((point) => point.y));
  const middle = (PLOT.left + PLOT.right) / 2;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="${TEXT}">`,
    `<title>${escaped(title)}</title>`,
    text(PLOT.left, 22, title, 'font-size="15" font-weight="600"'),
    text(PLOT.left, 40, yLabel),
    text(middle, HEIGHT - 14, xLabel, 'text-anchor="middle"'),
    ...y.ticks.flatMap((tick) => [
      `<path d="M${PLOT.left} ${y.place(tick)}H${PLOT.right}" stroke="${GRID}"/>`,
      text(PLOT.left - 8, y.place(tick) + 4, short(tick), 'text-anchor="end"'),
    ]),
    ...x.ticks.map((tick) => text(x.place(tick), PLOT.bottom + 20, short(tick), 'text-anchor="middle"')),
    ...lines.map((line) => drawLine(line, x, y)),
    ...drawNames(lines, y),
    "</svg>",
  ].join("\n")}\n`;
}

function drawLine({ colour, isDashed, points }: Line, x: Scale, y: Scale): string {
  const places = points.map((point) => [round(x.place(point.x)), round(y.place(point.y))] as const);
  const path = `M${places.map((place) => place.join(" ")).join("L")}`;
  const dots = places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${colour}"/>`);
  const dashes = isDashed ? ' stroke-dasharray="5 4"' : "";
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"${dashes}/>${dots.join("")}`;
}

/** Beside the end of each line, moved apart where they would cover each other. */
function drawNames(lines: readonly Line[], y: Scale): string[] {
  let above = Number.NEGATIVE_INFINITY;
  return lines
    .map((line) => ({ ...line, last: line.points.at(-1)?.y ?? 0 }))
    .sort((a, b) => y.place(a.last) - y.place(b.last))
    .map(({ name, colour, last }) => {
      above = Math.max(y.place(last) + 4, above + LINE_HEIGHT);
      return text(PLOT.right + 8, above, `${name}: ${short(last)}`, `fill="${colour}"`);
    });
}

/** From zero where the values are alike, else by powers of ten. */
function yScale(values: readonly number[]): Scale {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return linear(1);
  const most = Math.max(...positive);
  const least = Math.min(...positive);
  if (most / least < 20) return linear(most);
  const first = Math.floor(Math.log10(least));
  const decades = Math.ceil(Math.log10(most)) - first;
  const ticks = Array.from({ length: decades + 1 }, (_, index) => 10 ** (first + index));
  return logarithmic(ticks, PLOT.bottom, PLOT.top + 8);
}

function linear(most: number): Scale {
  const magnitude = 10 ** Math.floor(Math.log10(most));
  const step = [0.2, 0.5, 1, 2].map((part) => part * magnitude).find((size) => most / size <= 6) ?? magnitude;
  const top = Math.ceil(most / step) * step;
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step);
  return {
    ticks,
    place: (value) => round(PLOT.bottom - (value / top) * (PLOT.bottom - PLOT.top - 8)),
  };
}

/** What is smaller than the smallest tick lies on it: zero has no logarithm. */
function logarithmic(ticks: readonly number[], from: number, to: number): Scale {
  const least = Math.min(...ticks);
  const first = Math.log10(least);
  const span = Math.log10(Math.max(...ticks)) - first || 1;
  return {
    ticks,
    place: (value) => round(from + ((Math.log10(Math.max(value, least)) - first) / span) * (to - from)),
  };
}

function text(x: number, y: number, content: string, attributes = ""): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escaped(content)}</text>`;
}

function short(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (value >= 1e3) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(3)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
