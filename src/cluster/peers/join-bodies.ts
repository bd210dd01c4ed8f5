/** One duplex stream of the two bodies of a request, with backpressure both ways. */
import { Duplex, type Readable, type Writable } from "node:stream";

export function joinBodies(incoming: Readable, outgoing: Writable): Duplex {
  let waiting: (() => void) | undefined;
  const duplex = new Duplex({
    read() {
      incoming.resume();
    },
    write(chunk: Buffer, _encoding, done) {
      if (outgoing.write(chunk)) done();
      else waiting = done;
    },
    final(done) {
      outgoing.end(() => done());
    },
    destroy(error, done) {
      incoming.destroy();
      outgoing.destroy();
      done(error);
    },
  });
  const broken = (error?: Error) => duplex.destroy(error ?? new Error("The other node ended the stream."));
  outgoing.on("drain", () => {
    const done = waiting;
    waiting = undefined;
    done?.();
  });
  incoming.on("data", (chunk: Buffer) => {
    if (!duplex.push(chunk)) incoming.pause();
  });
  incoming.on("end", () => duplex.push(null));
  for (const body of [incoming, outgoing]) body.on("error", broken);
  incoming.on("close", () => {
    if (!incoming.readableEnded) broken();
  });
  outgoing.on("close", () => {
    if (!outgoing.writableFinished) broken();
  });
  return duplex;
}
