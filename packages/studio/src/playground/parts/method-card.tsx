import type { ComponentChildren } from 'preact';
import type { Method } from '../training/protocol.js';
import { Plane } from './plane.jsx';
import { Results } from './results.jsx';

/** A network: its picture, its results, and what is special about it. */
export function MethodCard(props: {
  readonly method: Method;
  readonly title: string;
  readonly what: string;
  readonly children: ComponentChildren;
}) {
  const { method, title, what, children } = props;
  return (
    <article class="method" data-method={method} aria-label={title}>
      <h2>{title}</h2>
      <p class="note">{what}</p>
      <Plane method={method} title={title} />
      <button type="button" class="save" onClick={({ currentTarget }) => savePicture(currentTarget, method)}>
        Save as PNG<span class="sr-only">: {title}</span>
      </button>
      <Results method={method} title={title} />
      {children}
    </article>
  );
}

/** Saves the picture of the card that a button is in. */
function savePicture(button: Element, method: Method): void {
  const canvas = button.closest('.method')?.querySelector('canvas');
  canvas?.toBlob((picture) => {
    if (picture === null) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(picture);
    link.download = `playground-${method}.png`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
