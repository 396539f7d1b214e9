import { useState } from 'preact/hooks';

/** A text to copy. */
export function CopyBox({ label, text }: { readonly label: string; readonly text: string }) {
  const [said, setSaid] = useState('');
  const copy = () => {
    // Browsers keep the clipboard from pages that are neither this computer's nor encrypted.
    const copied = 'clipboard' in navigator ? navigator.clipboard.writeText(text) : Promise.reject(new Error());
    copied.then(
      () => setSaid('copied'),
      () => setSaid('select it and press Ctrl-C'),
    );
  };
  return (
    <div class="copy">
      <section class="scroll" tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <button type="button" onClick={copy}>
        Copy
      </button>{' '}
      <span role="status" class="note">
        {said}
      </span>
    </div>
  );
}
