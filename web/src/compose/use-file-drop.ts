/** Files that are dropped anywhere on the page, and whether some are being dragged over it. */
import { useEffect, useRef, useState } from "react";

export function useFileDrop(onDrop: (files: FileList) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    /** Entering a child comes before leaving its parent. */
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const end = () => {
      depth = 0;
      setIsOver(false);
    };
    const listeners: Record<string, (event: DragEvent) => void> = {
      dragenter(event) {
        if (!hasFiles(event)) return;
        depth += 1;
        setIsOver(true);
      },
      dragleave(event) {
        if (!hasFiles(event)) return;
        depth -= 1;
        if (depth <= 0) end();
      },
      // Else the browser would leave the page and show the file.
      dragover: (event) => hasFiles(event) && event.preventDefault(),
      drop(event) {
        if (!hasFiles(event)) return;
        event.preventDefault();
        end();
        if (event.dataTransfer) latest.current(event.dataTransfer.files);
      },
    };
    for (const [type, listener] of Object.entries(listeners))
      addEventListener(type, listener as EventListener);
    return () => {
      for (const [type, listener] of Object.entries(listeners))
        removeEventListener(type, listener as EventListener);
    };
  }, []);
  return isOver;
}
