/** That a person changed the input of a call before it ran, and what the agent had proposed. */
import { Pencil } from "lucide-react";
import { shellCommand } from "../../../src/core/shell-command.ts";
import type { EditedInput as Edited } from "../chat/page-message.ts";
import { shownName } from "../people/shown-name.ts";
import { commandOf } from "./tool-summary.ts";
import { ValuePanel } from "./value-panel.tsx";

export default function EditedInput({ edited: { by, proposed } }: { edited: Edited }) {
  const command = commandOf(proposed);
  return (
    <details data-edited="" className="text-muted-foreground text-xs">
      <summary className="flex cursor-pointer list-none flex-wrap touch:py-2.5 items-center gap-1.5 hover:text-foreground [&::-webkit-details-marker]:hidden">
        <Pencil aria-hidden="true" className="size-3.5 shrink-0" />
        <span>Edited by {shownName(by)} before it ran</span>
        <span className="underline decoration-dotted underline-offset-2">what was proposed</span>
      </summary>
      <div className="mt-2">
        <ValuePanel
          label="The agent proposed"
          value={command === undefined ? proposed : shellCommand(command)}
        />
      </div>
    </details>
  );
}
