import { int32At } from '../checked-access.js';

/** The codes of another list of texts; −1, a missing text, stays. */
export function recoded(codes: Int32Array, codeOf: Int32Array): Int32Array {
  return codes.map((code) => (code < 0 ? -1 : int32At(codeOf, code)));
}

/** How many texts are missing. */
export function missingCodes(codes: Int32Array): number {
  let missing = 0;
  for (const code of codes) if (code < 0) missing++;
  return missing;
}
