/**
 * Waits for a condition instead of a time.
 *
 * @example await until(() => model.requests.length === 2);
 */
export async function until(condition: () => boolean | Promise<boolean>, deadlineMs = 20_000): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`still not so after ${deadlineMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
