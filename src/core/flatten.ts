/** The items of batches, one by one. */
export async function* flatten<Item>(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<Item, void> {
  for await (const batch of batches) yield* batch;
}
