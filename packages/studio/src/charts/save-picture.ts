/** What a picture takes from the page's style sheet; a file of its own has none. */
const STYLED = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
];

/** Pixels of a PNG for each of the page. */
const SHARPNESS = 2;

/** A chart as a file: with the colours of now, and nothing from outside. */
function svgText(svg: SVGSVGElement): string {
  const copy = document.importNode(svg, true);
  const [originals, copies] = [
    [svg, ...svg.querySelectorAll('*')],
    [copy, ...copy.querySelectorAll('*')],
  ];
  for (const [i, original] of originals.entries()) {
    const style = getComputedStyle(original);
    const target = copies[i];
    for (const name of STYLED) target?.setAttribute(name, style.getPropertyValue(name));
    target?.removeAttribute('class');
  }
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  if (!copy.hasAttribute('viewBox')) copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const page = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of [
    ['width', '100%'],
    ['height', '100%'],
    ['fill', getComputedStyle(document.body).backgroundColor],
  ] as const) {
    page.setAttribute(name, value);
  }
  copy.prepend(page);
  return new XMLSerializer().serializeToString(copy);
}

/** Saves a chart as SVG. */
export function saveSvg(svg: SVGSVGElement, name: string): void {
  save(new Blob([svgText(svg)], { type: 'image/svg+xml' }), `${name}.svg`);
}

/** Saves a chart as PNG. */
export async function savePng(svg: SVGSVGElement, name: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([svgText(svg)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = SHARPNESS * image.width;
    canvas.height = SHARPNESS * image.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob !== null) save(blob, `${name}.png`);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Has the browser save a file. */
export function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[^\w. -]+/g, '-');
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
