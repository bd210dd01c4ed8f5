/** Pieces of text as they come → the body of a response. */

/** Reads only as fast as it is read, and ends the frames when the reader leaves. */
export function toByteStream(frames: AsyncGenerator<string, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await frames.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await frames.return(undefined);
    },
  });
}
