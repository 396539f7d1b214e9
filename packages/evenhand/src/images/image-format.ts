/** As many bytes of a file as `isImage` has to see. */
export const SIGNATURE_BYTES = 12;

/** Whether content begins as a JPEG, PNG or WebP image does. */
export function isImage(content: Uint8Array): boolean {
  const start = Buffer.from(content.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  return (
    start.startsWith('\xff\xd8\xff') ||
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    // Between the two is the file's length.
    (start.startsWith('RIFF') && start.endsWith('WEBP'))
  );
}

/** Whether a file's name promises a JPEG, PNG or WebP image. */
export function isImageName(file: string): boolean {
  return /\.(jpe?g|png|webp)$/i.test(file);
}
