import type { ComponentChildren } from 'preact';

/** Says that something is on its way. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      {what}…
    </p>
  );
}

/** Says what went wrong. */
export function Fault({ message }: { readonly message: string }) {
  return (
    <p class="fault" role="alert">
      {message}
    </p>
  );
}

/** Says that there is nothing, and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
