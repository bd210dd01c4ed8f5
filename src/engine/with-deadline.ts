/** A deadline for one of several actions that share an AbortController. */

/** Aborts `controller` with `late` if the action takes longer. The action itself has to react. */
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
