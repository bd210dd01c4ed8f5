/** Says what happened to the page behind a person's back: a restart, sleep, a new version. It went on in each case. */
import { Unplug } from "lucide-react";
import { useEffect, useRef } from "react";
import { useFeed } from "../feed/use-feed.tsx";
import { watchSleep } from "../feed/watch-sleep.ts";
import { openSession, useRoute } from "../route.ts";
import { excerpt, formatDuration } from "../ui/format.ts";
import { useToasts } from "../ui/toasts.tsx";
import { cutOff } from "./cut-off.ts";
import { hasNewVersion } from "./new-version.ts";

/** A toast has one line or two. */
const MAX_TITLE = 40;

export function usePageNotices(): void {
  useRestartNotice();
  useSleepNotice();
  useVersionNotice();
}

function useRestartNotice(): void {
  const { startedAt, sessions } = useFeed();
  const toasts = useToasts();
  const before = useRef(startedAt);
  const route = useRoute();
  const shown = route.view === "session" ? route.session : undefined;
  useEffect(() => {
    const known = before.current;
    before.current = startedAt;
    if (known === 0 || startedAt === known) return;
    const cut = cutOff(sessions, known);
    const [first] = cut;
    const text = "Interlingua was restarted.";
    if (first === undefined) return void toasts.show({ text: `${text} Nothing was lost.` });
    const title = sessions.get(first)?.title?.trim();
    const one = title ? `“${excerpt(title, MAX_TITLE)}”` : "One session";
    toasts.show({
      icon: <Unplug aria-hidden="true" className="text-waiting-text" />,
      text: `${text} ${cut.length === 1 ? `${one} was` : `${cut.length} sessions were`} cut off.`,
      ...(first !== shown && { action: { label: "Show", onPress: () => openSession(first) } }),
      durationMs: 15_000,
    });
  }, [startedAt, sessions, toasts, shown]);
}

/** Once what happened meanwhile is here. */
function useSleepNotice(): void {
  const { snapshots } = useFeed();
  const toasts = useToasts();
  const slept = useRef(0);
  useEffect(() => {
    const ended = new AbortController();
    watchSleep((ms) => {
      slept.current = ms;
    }, ended.signal);
    return () => ended.abort();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each snapshot brings the page up to date
  useEffect(() => {
    if (slept.current === 0) return;
    toasts.show({ text: `This page slept for ${formatDuration(slept.current)}. It is up to date again.` });
    slept.current = 0;
  }, [snapshots, toasts]);
}

/** A daemon that was restarted may have another page. What of the old one was not loaded yet may be gone. */
function useVersionNotice(): void {
  const { snapshots } = useFeed();
  const toasts = useToasts();
  const isShown = useRef(false);
  useEffect(() => {
    function show(): void {
      if (isShown.current) return;
      isShown.current = true;
      const action = { label: "Reload", onPress: () => location.reload() };
      toasts.show({
        text: "There is a new version of this page.",
        action,
        durationMs: Number.POSITIVE_INFINITY,
      });
    }
    const look = () => void hasNewVersion().then((isNew) => isNew && show());
    addEventListener("vite:preloadError", look);
    if (snapshots > 1) look();
    return () => removeEventListener("vite:preloadError", look);
  }, [snapshots, toasts]);
}
