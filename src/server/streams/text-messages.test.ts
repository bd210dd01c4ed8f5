import { PassThrough, type Writable } from "node:stream";
import { expect, test } from "vitest";
import * as ws from "ws";
import { until } from "../../testkit/until.ts";
import { textMessages } from "./text-messages.ts";

/** The reader of frames, which the types leave out. */
const { Receiver } = ws as unknown as { Receiver: new (options: { isServer: boolean }) => Writable };

test("texts of every length are read by ws as they were", async () => {
  const texts = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000].map((length) =>
    "é".repeat(length / 2).padEnd(length / 2 + (length % 2), "a"),
  );
  const received: string[] = [];
  const receiver = new Receiver({ isServer: false });
  receiver.on("message", (data: Buffer) => received.push(String(data)));
  new PassThrough().end(textMessages(["first", ...texts])).pipe(receiver);
  await until(() => received.length === texts.length + 1);
  expect(received).toEqual(["first", ...texts]);
});
