import { expect, test } from "vitest";
import { type HistoryGroup, HistoryPage } from "./history-page.ts";

/** The newest first. The agent said 14 and 12 before it took up the prompt 10, which stands after them. */
const PLACES = [20, 10, 14, 12, 5, 1];

async function* groups(): AsyncGenerator<HistoryGroup> {
  for (const seq of PLACES) yield [{ seq, event: { type: "chat", content: `${seq}`, idx: seq } }];
}

async function pages(limit: number): Promise<number[]> {
  const read: number[] = [];
  for (let before: number | undefined; ; ) {
    const page = new HistoryPage({ limit, before });
    let length = 0;
    for await (const [{ seq }] of page.take(groups())) {
      read.push(seq);
      length += 1;
    }
    if (!page.hasMore) return read;
    before = page.bounds(length, false).first;
  }
}

test.each([1, 2, 3, 4, 5, 6])(
  "pages of %i lose nothing that was said while a prompt steered",
  async (limit) => {
    expect(await pages(limit)).toEqual(PLACES);
  },
);

test("a page without texts has no bounds", () => {
  expect(new HistoryPage({ limit: 5 }).bounds(0, false)).toEqual({});
});
