/** Contract: finding messages by their words. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SearchQuery, SessionAppend, Store } from "../../core/store.ts";
import { searchWords } from "../search-words.ts";
import type { OpenStore } from "../store-contract.ts";
import { SampleSession, sampleMessage } from "./sample-session.ts";

/** Messages of the history that say these texts, by their ids. */
function saying(
  texts: Readonly<Record<string, string>>,
  start = 1,
): Pick<SessionAppend, "messages" | "texts"> {
  const ids = Object.keys(texts);
  return {
    messages: ids.map((id, n) => sampleMessage(id, { position: start + n, firstSeq: 1, lastSeq: 1 })),
    texts: ids.map((message, n) => ({ message, at: 100 + n, text: texts[message]! })),
  };
}

async function find(store: Store, words: string, more: Partial<SearchQuery> = {}): Promise<string[]> {
  const { hits } = await store.searchMessages({ words, limit: 100, ...more });
  return hits.map(({ session, message }) => `${session.id} ${message}`);
}

export function searchContract(open: OpenStore): void {
  describe("searchMessages", () => {
    it("finds all of the words, the last one by its beginning, newest first, in their places", async () => {
      const { store, reopen } = await open();
      const a = new SampleSession("a", { title: "Title" });
      const b = new SampleSession("b");
      await store.append([
        a.batch({ events: 1, ...saying({ m1: "The Zebra crosses", m2: "a zebra-crossing" }) }),
      ]);
      await store.append([b.batch({ events: 1, ...saying({ m1: "Déjà vu: zebras\0and 𝒜 \ud800 cross" }) })]);
      const later = (await reopen?.()) ?? store;
      expect(await find(later, "zebra cross")).toEqual(["a m2", "a m1"]);
      expect(await find(later, "CROSS zebra")).toEqual(["b m1"]);
      expect(await find(later, "zeb")).toEqual(["b m1", "a m2", "a m1"]);
      expect(await find(later, "deja")).toEqual(["b m1"]);
      for (const nothing of ["zebra absent", "z", "", "  ", '"*', "-"])
        expect(await find(later, nothing)).toEqual([]);
      // No word of the query is one of the index's own.
      expect(await find(later, 'zebra" OR "the')).toEqual([]);
      expect((await later.searchMessages({ words: "crosses", limit: 1 })).hits).toEqual([
        {
          session: a.row,
          message: "m1",
          role: "user",
          at: 100,
          snippet: [{ text: "The Zebra " }, { text: "crosses", match: true }],
        },
      ]);
    });

    it("has pages, filters, and only the history of sessions there are", async () => {
      const { store } = await open();
      const samples = Array.from(
        { length: 6 },
        (_, n) =>
          new SampleSession(`s${n}`, { agent: n % 2 ? "odd" : "even", ...(n === 4 && { archived: true }) }),
      );
      await store.append(
        samples.map((sample) => sample.batch({ events: 1, ...saying({ m: "same words" }) })),
      );
      const all = ["s5 m", "s4 m", "s3 m", "s2 m", "s1 m", "s0 m"];
      const paged: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.searchMessages({ words: "same", limit: 4, cursor });
        paged.push(...page.hits.map(({ session, message }) => `${session.id} ${message}`));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(paged).toEqual(all);
      expect(await find(store, "words", { session: "s3" })).toEqual(["s3 m"]);
      expect(await find(store, "words", { archived: true })).toEqual(["s4 m"]);
      expect(await find(store, "words", { archived: false })).toHaveLength(5);
      expect(await find(store, "words", { only: { agents: ["odd"] } })).toEqual(["s5 m", "s3 m", "s1 m"]);
      expect(await find(store, "words", { only: { sessions: [] } })).toEqual([]);
      await expect(store.searchMessages({ words: "same", limit: 4, cursor: "x" })).rejects.toMatchObject({
        code: "invalid_request",
      });

      await store.deleteSession("s5");
      await store.append([
        // Withdrawn, rewound, and said anew.
        samples[0]!.batch({ messages: [sampleMessage("m", { state: "withdrawn" })] }),
        samples[1]!.batch({ events: 1, rewound: [{ before: "m", seq: 2 }] }),
        samples[2]!.batch(saying({ m: "other words" })),
      ]);
      expect(await find(store, "same")).toEqual(["s4 m", "s3 m"]);
      expect(await find(store, "words")).toEqual(["s4 m", "s3 m", "s2 m"]);
      // A session made anew under the id of a deleted one has nothing of it.
      await store.append([new SampleSession("s5").batch({ events: 1, ...saying({ m: "fresh" }) })]);
      expect(await find(store, "words", { session: "s5" })).toEqual([]);
      expect(await find(store, "fres")).toEqual(["s5 m"]);
      expect((await store.check()).problems).toEqual([]);
    });

    it("finds a message by each of its words, whatever they are", async () => {
      const { store } = await open();
      let number = 0;
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (text) => {
          number += 1;
          const id = `t${number}`;
          await store.append([new SampleSession(id).batch({ events: 1, ...saying({ m: text }) })]);
          for (const word of searchWords(text.replaceAll("\0", " ").toWellFormed())) {
            expect(await find(store, word, { session: id })).toEqual([`${id} m`]);
          }
        }),
        { numRuns: 60 },
      );
    });
  });
}
