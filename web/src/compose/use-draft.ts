/** What is written in the composer of a session and not sent yet. It outlives the composer, and a reload. */
import { useEffect, useLayoutEffect, useState } from "react";
import type { PromptPart } from "../api/types.ts";
import { type AttachedFile, filesThatFit, MAX_ATTACHED_BYTES, readFiles } from "./attached-file.ts";
import {
  changeDraft,
  type Draft,
  draftParts,
  keepDraft,
  readDraft,
  registerComposer,
} from "./kept-prompts.ts";

export interface DraftState {
  text: string;
  files: readonly AttachedFile[];
  isEmpty: boolean;
  /** Whether files that belong to it are still being read. */
  isReading: boolean;
  /** Whether the last ones could not be read. */
  isUnreadable: boolean;
  /** How it came to be here, as long as it is as it came. */
  note: string | undefined;
  /** Why a file was not attached. */
  problem: string | undefined;
  setText: (text: string) => void;
  attach: (files: Iterable<File>) => Promise<void>;
  detach: (index: number) => void;
  /** Says why files are not taken. */
  refuse: (why: string) => void;
  /** Empties the draft and returns its content. */
  take: () => PromptPart[];
}

const NOT_SENT = "Your prompt was not sent. It is here again.";

/** `unsent` is a prompt that comes back; `onTaken` is called when it is in the draft. */
export function useDraft(
  session: string,
  unsent: readonly PromptPart[] | undefined,
  onTaken: () => void,
): DraftState {
  const [draft, setDraft] = useState(() => readDraft(session));
  const { text, files, note } = draft;
  /** How many times files were added that are still being read. */
  const [reading, setReading] = useState(0);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const [problem, setProblem] = useState<string>();

  useEffect(() => keepDraft(session, draft), [session, draft]);
  // Ends before the effects of what goes with the composer: what comes from there is kept.
  useLayoutEffect(() => registerComposer(session, setDraft), [session]);
  useEffect(() => {
    if (!unsent) return;
    setDraft((now) => withPrompt(now, unsent));
    onTaken();
  }, [unsent, onTaken]);

  return {
    text,
    files,
    isEmpty: text.trim() === "" && files.length === 0 && reading === 0,
    isReading: reading > 0,
    isUnreadable,
    note,
    problem,
    setText(next) {
      setDraft((now) => ({ text: next, files: now.files }));
    },
    async attach(list) {
      const { fitting, refused } = filesThatFit([...list], files);
      setProblem(refused.length > 0 ? refusalOf(refused) : undefined);
      setIsUnreadable(false);
      setReading((count) => count + 1);
      try {
        const added = await readFiles(fitting);
        // The session may have been left meanwhile, and come back to.
        changeDraft(session, (now) => ({ ...now, files: [...now.files, ...added] }));
      } catch (error) {
        setIsUnreadable(true);
        setProblem(`It could not be read: ${(error as Error).message}`);
      } finally {
        setReading((count) => count - 1);
      }
    },
    detach(index) {
      setProblem(undefined);
      setDraft((now) => ({ ...now, files: now.files.filter((_, other) => other !== index) }));
    },
    refuse: setProblem,
    take() {
      const parts = draftParts({ text, files });
      setProblem(undefined);
      setDraft({ text: "", files: [] });
      return parts;
    },
  };
}

function withPrompt(now: Draft, parts: readonly PromptPart[]): Draft {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const files = parts.flatMap((part) =>
    part.type === "file"
      ? [{ url: part.url, mediaType: part.mediaType, filename: part.filename ?? "file" }]
      : [],
  );
  const written = now.text.trim() === "" ? [] : [now.text];
  return { text: [...texts, ...written].join("\n"), files: [...files, ...now.files], note: NOT_SENT };
}

function refusalOf(refused: readonly File[]): string {
  const names = refused.map(({ name, size }) => `${name} (${inMegabytes(size)})`).join(", ");
  const most = inMegabytes((MAX_ATTACHED_BYTES * 3) / 4);
  return `Not attached: ${names}. All files of a prompt together may have ${most}. Put it into the directory of the session and name it there.`;
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
