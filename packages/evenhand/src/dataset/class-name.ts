/** A cell's text as the name of a class: `1.0`, as some programs write the integer 1, is `1`. */
export function className(text: string): string {
  return text.replace(/^([+-]?\d+)\.0*$/, '$1');
}
