/** A finger that stays: what a right click is to a mouse. The mouse keeps its own. */
import { type MouseEvent, type PointerEvent, useEffect, useRef } from "react";

const AFTER_MS = 500;
/** A finger is never still. */
const MAX_MOVE_PX = 10;

interface LongPress {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
  onClickCapture: (event: MouseEvent) => void;
  onContextMenu: (event: MouseEvent) => void;
}

/** To be spread over the element. */
export function useLongPress(onPress: () => void): LongPress {
  const pressed = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> }>(undefined);
  const isOver = useRef(false);

  function end() {
    clearTimeout(pressed.current?.timer);
    pressed.current = undefined;
  }

  useEffect(() => () => clearTimeout(pressed.current?.timer), []);

  return {
    onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y }) {
      end();
      isOver.current = false;
      if (pointerType !== "touch" || !isPrimary) return;
      const timer = setTimeout(() => {
        isOver.current = true;
        onPress();
      }, AFTER_MS);
      pressed.current = { x, y, timer };
    },
    onPointerMove({ clientX, clientY }) {
      if (!pressed.current) return;
      const { x, y } = pressed.current;
      if (Math.hypot(clientX - x, clientY - y) > MAX_MOVE_PX) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    // The finger that lets go has done enough.
    onClickCapture(event) {
      if (!isOver.current) return;
      isOver.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
    // Some browsers would show theirs over it.
    onContextMenu(event) {
      if (pressed.current || isOver.current) event.preventDefault();
    },
  };
}
