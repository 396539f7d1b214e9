import { CLASSES } from '../points.js';

/** The shape of a class in its colour, as in the pictures. */
export function ClassMark({ label }: { readonly label: number }) {
  return (
    <svg class={`mark mark-${label}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {SHAPES[label]}
    </svg>
  );
}

const SHAPES = [
  <circle key={CLASSES[0]} cx="6" cy="6" r="5" />,
  <path key={CLASSES[1]} d="M6 .5 11.6 10.6H.4Z" />,
  <rect key={CLASSES[2]} x="1.2" y="1.2" width="9.6" height="9.6" />,
];
