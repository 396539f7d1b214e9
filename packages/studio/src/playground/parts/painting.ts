import { type Random, seededRandom } from '@evenhand/engine';
import { useRef, useState } from 'preact/hooks';
import { CLASSES, erased, pointNear } from '../points.js';
import { brush, changePoints, points } from '../state.js';

/** Of the square's side: how far points fall from the brush, how far it moves from one to the next, what the eraser reaches, a step of a key. */
const [SPREAD, STRIDE, ERASER, KEY_STEP] = [0.025, 0.022, 0.045, 0.02];

interface Place {
  readonly x: number;
  readonly y: number;
}

let random: Random = seededRandom(0, 'playground: brush');

/** Paints one point, or erases, at a place. */
function apply({ x, y }: Place, spread: number): void {
  const tool = brush.value;
  if (tool === 'eraser') changePoints(erased(points.value, x, y, ERASER));
  else changePoints([...points.value, pointNear(x, y, tool, spread, random)]);
}

function placeOf(event: PointerEvent, square: Element): Place {
  const { left, bottom, width, height } = square.getBoundingClientRect();
  return { x: (event.clientX - left) / width, y: (bottom - event.clientY) / height };
}

/** What a square listens to in order to be painted on, by pointer or by keys. */
export function usePainting() {
  const last = useRef<Place | undefined>(undefined);
  const [cursor, setCursor] = useState<Place | undefined>(undefined);
  const handlers = {
    onPointerDown: (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const place = placeOf(event, event.currentTarget);
      random = seededRandom(points.value.length, 'playground: brush');
      last.current = place;
      setCursor(undefined);
      apply(place, 0);
    },
    onPointerMove: (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
      const before = last.current;
      if (before === undefined) return;
      const place = placeOf(event, event.currentTarget);
      if (Math.hypot(place.x - before.x, place.y - before.y) < STRIDE) return;
      last.current = place;
      apply(place, SPREAD);
    },
    onPointerUp: () => {
      last.current = undefined;
    },
    onPointerCancel: () => {
      last.current = undefined;
    },
    onBlur: () => setCursor(undefined),
    onKeyDown: (event: KeyboardEvent) => {
      const place = cursor ?? { x: 0.5, y: 0.5 };
      const move = MOVES.get(event.key);
      const label = Number(event.key) - 1;
      if (move !== undefined) {
        const [x, y] = [place.x + KEY_STEP * move[0], place.y + KEY_STEP * move[1]].map((share) =>
          Math.min(1, Math.max(0, share)),
        );
        setCursor({ x: x ?? 0, y: y ?? 0 });
      } else if (event.key === ' ' || event.key === 'Enter') {
        setCursor(place);
        apply(place, 0);
      } else if (event.key === 'Delete' || event.key === 'Backspace') {
        setCursor(place);
        changePoints(erased(points.value, place.x, place.y, ERASER));
      } else if (label in CLASSES) brush.value = label;
      else return;
      event.preventDefault();
    },
  };
  return { handlers, cursor };
}

const MOVES: ReadonlyMap<string, readonly [x: number, y: number]> = new Map([
  ['ArrowLeft', [-1, 0]],
  ['ArrowRight', [1, 0]],
  ['ArrowUp', [0, 1]],
  ['ArrowDown', [0, -1]],
]);
