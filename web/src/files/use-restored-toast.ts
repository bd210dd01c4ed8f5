/** Says what a restore did, with the way back. */
import type { Restored } from "../api/types.ts";
import { useToasts } from "../ui/toasts.tsx";
import { countFiles } from "./file-change.ts";
import { requestRestore, restoreProblem } from "./restore-target.ts";

const DURATION_MS = 10_000;

export function useRestoredToast(session: string): (restored: Restored, isRedo?: boolean) => void {
  const toasts = useToasts();

  function tell({ restored, kept = [], rewound, checkpoint }: Restored, isRedo = false) {
    const count = restored.length;
    const parts = [
      count === 0
        ? "No file was changed"
        : isRedo
          ? `Brought back ${countFiles(count)}`
          : `Undone in ${countFiles(count)}`,
      kept.length > 0 && `${countFiles(kept.length)} left alone`,
      rewound !== undefined && "the conversation too",
    ];
    const canUndo = count > 0 && checkpoint !== undefined;
    toasts.show({
      text: `${parts.filter(Boolean).join(", ")}.`,
      durationMs: DURATION_MS,
      session,
      name: "restored",
      ...(canUndo && {
        action: {
          label: isRedo ? "Undo again" : "Bring back",
          onPress: () => void revert(checkpoint, !isRedo),
        },
      }),
    });
  }

  async function revert(checkpoint: string, isRedo: boolean) {
    try {
      const target = { checkpoint, title: "" };
      tell(await requestRestore(session, target, { onConflict: "refuse", conversation: false }), isRedo);
    } catch (error) {
      toasts.show({ text: restoreProblem(error), tone: "danger", durationMs: DURATION_MS });
    }
  }

  return tell;
}
