import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Colours, colours } from '../drawing/class-colours.js';
import { drawPoints } from '../drawing/draw-points.js';
import { regionPicture } from '../drawing/draw-regions.js';
import { points, snapshot } from '../state.js';
import type { Method } from '../training/protocol.js';
import { usePainting } from './painting.js';

/** Pixels on each side, of those that pictures are made of. */
const SIZE = 640;
const RADIUS = 7;

/** The square: what a network would say at every place, and the points, which can be painted. */
export function Plane({ method, title }: { readonly method: Method; readonly title: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { handlers, cursor } = usePainting();
  const now = snapshot.value;
  const own = now?.methods.find((candidate) => candidate.method === method);
  const [given, palette] = [points.value, colours.value];
  const regions = useMemo(
    () => (own === undefined || now === undefined ? undefined : regionPicture(own.probabilities, now.classes, palette)),
    [own, now, palette],
  );
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context === null || context === undefined) return;
    context.clearRect(0, 0, SIZE, SIZE);
    if (regions !== undefined) drawScaled(context, regions);
    drawPoints(context, given, SIZE, RADIUS, palette);
    if (cursor !== undefined) drawCursor(context, cursor, palette);
  }, [regions, given, palette, cursor]);
  return (
    <button
      type="button"
      class="plane"
      aria-roledescription="square to paint in"
      aria-label={`Points and regions of ${title}. Arrow keys move the brush, space paints, delete erases, 1 to 3 choose a class.`}
      {...handlers}
    >
      <canvas ref={canvas} width={SIZE} height={SIZE} />
    </button>
  );
}

function drawScaled(context: CanvasRenderingContext2D, picture: ImageData): void {
  const small = new OffscreenCanvas(picture.width, picture.height);
  small.getContext('2d')?.putImageData(picture, 0, 0);
  context.drawImage(small, 0, 0, SIZE, SIZE);
}

function drawCursor(context: CanvasRenderingContext2D, { x, y }: { x: number; y: number }, { ink }: Colours): void {
  const [across, down] = [x * SIZE, (1 - y) * SIZE];
  context.strokeStyle = ink;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(across, down, 2 * RADIUS, 0, 2 * Math.PI);
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    context.moveTo(across + RADIUS * dx, down + RADIUS * dy);
    context.lineTo(across + 3 * RADIUS * dx, down + 3 * RADIUS * dy);
  }
  context.stroke();
}
