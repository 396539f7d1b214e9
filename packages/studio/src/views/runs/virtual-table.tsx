import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Pixels; all rows are alike, so that only those in sight need be drawn. */
const ROW = 37;
const BEYOND = 8;

interface VirtualTableProps<Item> {
  readonly label: string;
  readonly rows: readonly Item[];
  readonly widths: readonly number[];
  readonly head: ComponentChildren;
  keyOf(row: Item): string;
  cells(row: Item): ComponentChildren;
  isSelected(row: Item): boolean;
  /** Enter, or a click on the row's name. */
  onOpen(row: Item): void;
  /** The space bar. */
  onSelect(row: Item): void;
}

/** A table of which only the rows in sight are in the page: as quick with a thousand rows as with ten. */
export function VirtualTable<Item>(props: VirtualTableProps<Item>) {
  const { label, rows, widths, head, keyOf, cells, isSelected, onOpen, onSelect } = props;
  const box = useRef<HTMLDivElement>(null);
  const [{ top, height }, setView] = useState({ top: 0, height: 800 });
  const [active, setActive] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  const from = Math.max(0, Math.floor(top / ROW) - BEYOND);
  const to = Math.min(rows.length, Math.ceil((top + height) / ROW) + BEYOND);
  const shown = rows.slice(from, to);
  const focusRow = (index: number) => {
    const next = Math.min(rows.length - 1, Math.max(0, index));
    setActive(next);
    const element = box.current;
    if (element === null) return;
    const [above, below] = [next * ROW, (next + 2) * ROW];
    if (above < element.scrollTop) element.scrollTop = above;
    else if (below > element.scrollTop + element.clientHeight) element.scrollTop = below - element.clientHeight;
    requestAnimationFrame(() => element.querySelector<HTMLElement>(`tr[data-row="${next}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLTableRowElement)) return;
    const row = rows[active];
    const page = Math.max(1, Math.floor(height / ROW) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: rows.length - 1,
    };
    const next = steps[event.key];
    if (next !== undefined) focusRow(next);
    else if (event.key === 'Enter' && row !== undefined) onOpen(row);
    else if (event.key === ' ' && row !== undefined) onSelect(row);
    else return;
    event.preventDefault();
  };
  const spacer = (size: number) =>
    size === 0 ? null : (
      <tr class="spacer">
        <td colSpan={widths.length} height={size} />
      </tr>
    );
  const focusable = Math.min(Math.max(active, from), Math.max(from, to - 1));
  return (
    <section class="scroll virtual" ref={box} aria-label={label}>
      <table aria-rowcount={rows.length + 1} onKeyDown={onKeyDown} width={widths.reduce((a, b) => a + b, 0)}>
        <colgroup>
          {widths.map((width, i) => (
            <col key={`${i} ${width}`} width={width} />
          ))}
        </colgroup>
        <thead>{head}</thead>
        <tbody>
          {spacer(from * ROW)}
          {shown.map((row, i) => (
            <tr
              key={keyOf(row)}
              data-row={from + i}
              aria-rowindex={from + i + 2}
              aria-selected={isSelected(row)}
              tabIndex={from + i === focusable ? 0 : -1}
              onFocus={() => setActive(from + i)}
            >
              {cells(row)}
            </tr>
          ))}
          {spacer((rows.length - to) * ROW)}
        </tbody>
      </table>
    </section>
  );
}
