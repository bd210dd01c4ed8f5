/** A deadline for one thing of several that share an AbortController. */

/** Aborts `controller` with `late` when the action takes longer. What the action then does is its own business. */
export async function withDeadline<Result>(
  controller: AbortController,
  { ms, late }: { ms: number; late: Error },
  action: () => Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => controller.abort(late), ms);
  try {
    return await action();
  } finally {
    clearTimeout(timer);
  }
}
