/** Moves a card of a list by its handle, with a mouse, a pen or a finger. The others make room as it passes them. */
import { type CSSProperties, type PointerEvent, useState } from "react";
import { placeAt } from "./queue-order.ts";

interface Drag {
  from: number;
  to: number;
  startY: number;
  dy: number;
  /** Where each card's middle was when this one was taken. */
  middles: readonly number[];
  /** The room that one card takes. */
  height: number;
}

/** What a card and its handle are given. */
export interface CardDrag {
  isHeld: boolean;
  style: CSSProperties | undefined;
  handle: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    onPointerCancel: () => void;
  };
}

export function useCardDrag(onMove: (from: number, to: number) => void): { of(index: number): CardDrag } {
  const [drag, setDrag] = useState<Drag>();

  function take(index: number, event: PointerEvent<HTMLElement>) {
    const list = event.currentTarget.closest("ul");
    if (event.button !== 0 || !list) return;
    const rects = [...list.querySelectorAll("[data-queued]")].map((card) => card.getBoundingClientRect());
    const own = rects[index];
    if (!own) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const gap = Math.max(0, (rects[1]?.top ?? 0) - (rects[0]?.bottom ?? 0));
    const middles = rects.map((rect) => rect.top + rect.height / 2);
    setDrag({ from: index, to: index, startY: event.clientY, dy: 0, middles, height: own.height + gap });
  }

  return {
    of(index) {
      return {
        isHeld: drag?.from === index,
        style: drag && shiftOf(drag, index),
        handle: {
          onPointerDown: (event) => take(index, event),
          onPointerMove(event) {
            if (drag?.from === index) setDrag(movedTo(drag, event.clientY));
          },
          onPointerUp(event) {
            if (drag?.from !== index) return;
            setDrag(undefined);
            // What is drawn may be a few moves behind the hand.
            onMove(drag.from, movedTo(drag, event.clientY).to);
          },
          onPointerCancel: () => setDrag(undefined),
        },
      };
    },
  };
}

function movedTo(drag: Drag, y: number): Drag {
  const { from, startY, middles } = drag;
  const dy = y - startY;
  return { ...drag, dy, to: placeAt(middles, from, (middles[from] ?? 0) + dy) };
}

function shiftOf({ from, to, dy, height }: Drag, index: number): CSSProperties | undefined {
  if (index === from) return { transform: `translateY(${dy}px)` };
  if (from < index && index <= to) return { transform: `translateY(${-height}px)` };
  if (to <= index && index < from) return { transform: `translateY(${height}px)` };
  return undefined;
}
