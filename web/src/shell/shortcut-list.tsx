/** Every key of the page. */
import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/keys.tsx";
import { SHORTCUT_GROUPS, SHORTCUT_IDS, SHORTCUTS, type ShortcutGroup } from "./shortcuts.ts";
import { useCommands } from "./use-command.tsx";

/** What is bound in one place only, or not for this person, is not listed. */
export default function ShortcutList({ onClose }: { onClose: () => void }) {
  const bound = new Set(useCommands().list());
  const listed = SHORTCUT_IDS.filter((id) => SHORTCUTS[id].keys && (SHORTCUTS[id].isOwn || bound.has(id)));
  const inGroup = (group: ShortcutGroup) => listed.filter((id) => SHORTCUTS[id].group === group);
  return (
    <Dialog isOpen size="wide" onClose={onClose} title="Keyboard shortcuts">
      <div className="mt-4 gap-x-10 sm:columns-2">
        {SHORTCUT_GROUPS.filter((group) => inGroup(group).length > 0).map((group) => (
          <section key={group} aria-label={group} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 font-medium text-2xs text-muted-foreground">{group}</h3>
            <dl>
              {inGroup(group).map((id) => (
                <div key={id} className="flex min-h-7 items-center justify-between gap-4">
                  <dt className="text-soft">{SHORTCUTS[id].name}</dt>
                  <dd className="flex gap-1">
                    {SHORTCUTS[id].keys?.map((keys) => (
                      <Keys key={keys} keys={keys} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="text-2xs text-muted-foreground">Single letters count while you are not writing.</p>
    </Dialog>
  );
}
