/** Says what a restore did, with its undo. */
import type { Restored } from "../api/types.ts";
import { useToasts } from "../ui/toasts.tsx";
import { countFiles } from "./file-change.ts";
import { restoreProblem } from "./restore-problem.ts";
import { requestRestore } from "./restore-target.ts";

const DURATION_MS = 10_000;

export function useRestoredToast(session: string): (restored: Restored) => void {
  const toasts = useToasts();

  function tell({ restored, kept = [], rewound, checkpoint }: Restored) {
    const count = restored.length;
    const parts = [
      count > 0 ? `${countFiles(count)} went back` : "No file went back",
      kept.length > 0 && `${countFiles(kept.length)} left alone`,
      rewound !== undefined && "the conversation too",
    ];
    const canUndo = count > 0 && checkpoint !== undefined;
    toasts.show({
      text: `${parts.filter(Boolean).join(", ")}.`,
      durationMs: DURATION_MS,
      session,
      ...(canUndo && { action: { label: "Undo", onPress: () => void undo(checkpoint) } }),
    });
  }

  async function undo(checkpoint: string) {
    try {
      const target = { checkpoint, title: "" };
      tell(await requestRestore(session, target, { onConflict: "refuse", conversation: false }));
    } catch (error) {
      toasts.show({ text: restoreProblem(error), tone: "danger", durationMs: DURATION_MS });
    }
  }

  return tell;
}
