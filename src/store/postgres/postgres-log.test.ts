import { expect, it } from "vitest";
import { EVENT_FORMAT } from "../../core/event.ts";
import { packLines, placeOfBlock } from "../format/block.ts";
import { BlockCache } from "../format/block-cache.ts";
import { packedChecksum } from "../format/packed-content.ts";
import type { PostgresConnection, Statement, Value } from "./connection.ts";
import { PostgresLog } from "./postgres-log.ts";

const SESSION = 3;
const ID = 7;

/** A block of one event under an id that does not change. */
async function createBlock(event: string) {
  const span = { first: 1, last: 1, raw_first: 1, raw_last: 0, format: EVENT_FORMAT };
  const packed = await packLines({ events: [event], raws: [] });
  return { id: ID, ...span, ...packed, checksum: packedChecksum(packed, placeOfBlock(SESSION, span)) };
}

it("another block under the id of a cached one is read, after a failover that lost the first", async () => {
  let block = await createBlock('{"seq":1,"type":"lost"}');
  let [sent, known] = [0, 0];
  const answers: Record<string, (values: readonly Value[]) => object> = {
    select_end: () => ({ session: SESSION, head: 1, raw_head: 0 }),
    select_events: (values) => {
      const isCached = (values[2] as number[]).includes(ID);
      if (isCached) known += 1;
      else sent += 1;
      return isCached ? { ...block, data: null } : block;
    },
  };
  const query = async (statement: Statement | string, values: readonly Value[]) => [
    typeof statement === "string" ? block : answers[statement.name]?.(values),
  ];
  const log = new PostgresLog({ query } as unknown as PostgresConnection, new BlockCache());
  const read = async () => (await log.readEvents("s", 0, 10)).events.map(({ json }) => json);
  expect(await read()).toEqual(['{"seq":1,"type":"lost"}']);
  expect(await read()).toEqual(['{"seq":1,"type":"lost"}']);
  expect([sent, known]).toEqual([1, 1]);
  block = await createBlock('{"seq":1,"type":"kept"}');
  expect(await read()).toEqual(['{"seq":1,"type":"kept"}']);
  expect(await read()).toEqual(['{"seq":1,"type":"kept"}']);
});
