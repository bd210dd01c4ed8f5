/** Entries of the log from all sides, the recording to take away, and the session once more at any speed. */
import { Download } from "lucide-react";
import { Tabs } from "radix-ui";
import { useState } from "react";
import { daemon } from "../api/client.ts";
import type { PanelProps } from "../shell/side-panel.tsx";
import { Button } from "../ui/button.tsx";
import { useToasts } from "../ui/toasts.tsx";
import { EntryView } from "./entry-view.tsx";
import { ReplayView } from "./replay-view.tsx";

const TAB =
  "h-7 rounded-md px-3 font-medium text-muted-foreground text-xs hover:text-foreground touch:h-10 max-md:flex-1 data-[state=active]:bg-chosen data-[state=active]:text-foreground data-[state=active]:shadow-xs";

export default function XrayPanel({ session, seq }: PanelProps) {
  const toasts = useToasts();
  const [tab, setTab] = useState("entry");
  const [isLoading, setIsLoading] = useState(false);

  async function download() {
    setIsLoading(true);
    try {
      await downloadRecording(session);
    } catch (error) {
      toasts.fail(error);
    }
    setIsLoading(false);
  }

  return (
    <Tabs.Root value={tab} onValueChange={setTab} className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-center gap-2 px-3 pt-3">
        <Tabs.List aria-label="X-ray" className="flex flex-1 gap-0.5 rounded-lg bg-muted p-0.5 md:flex-none">
          <Tabs.Trigger value="entry" className={TAB}>
            Entries
          </Tabs.Trigger>
          <Tabs.Trigger value="replay" className={TAB}>
            Replay
          </Tabs.Trigger>
        </Tabs.List>
        <Button
          size="small"
          look="ghost"
          className="ml-auto"
          disabled={isLoading}
          title="Everything the agent said and was told, as a file"
          onClick={download}
        >
          <Download /> Download recording
        </Button>
      </div>
      <Tabs.Content value="entry" className="flex min-h-0 flex-1 flex-col focus-visible:outline-none">
        <EntryView session={session} seq={seq} />
      </Tabs.Content>
      <Tabs.Content value="replay" className="flex min-h-0 flex-1 flex-col focus-visible:outline-none">
        <ReplayView session={session} onInspect={() => setTab("entry")} />
      </Tabs.Content>
    </Tabs.Root>
  );
}

/** Saves the recording of a session as a file. The token goes with the request, so that no link can carry it. */
async function downloadRecording(session: string): Promise<void> {
  const response = await daemon().open(
    "GET /v1/sessions/{id}/recording",
    { params: { id: session } },
    { accept: "application/jsonl" },
  );
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = `${session}.recording.jsonl`;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
