import type { Html } from 'evenhand/report';

/** A command, an option or a formula in running text. */
interface Code {
  readonly code: string;
}

/** What the eye should find first. */
interface Strong {
  readonly strong: string;
}

/** Running text: shown as it is, whatever it contains. */
export type Prose = string | readonly (string | Code | Strong)[];

/** A column of a table: numbers stand at the right, texts at the left. */
export interface Column {
  readonly name: string;
  readonly text?: true;
}

/** A drawing, in the page and as a file of its own. */
export interface Panel {
  /** The file's name, without its ending. */
  readonly file: string;
  readonly title: string;
  readonly chart: Html;
  readonly caption: Prose;
}

/** A part of a section. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: Prose }
  | { readonly kind: 'list'; readonly items: readonly Prose[] }
  | {
      readonly kind: 'table';
      /** What it is, for those who cannot see it. */
      readonly label: string;
      readonly columns: readonly Column[];
      /** The first cell of each row is its heading. */
      readonly rows: readonly (readonly Prose[])[];
    }
  | { readonly kind: 'commands'; readonly lines: readonly string[] }
  | { readonly kind: 'panels'; readonly panels: readonly Panel[] };

/** A part of the document. */
export interface Section {
  readonly heading: string;
  readonly blocks: readonly Block[];
}

/** What is written twice, as a page and as Markdown: so both say the same. */
export interface ReproductionDocument {
  readonly title: string;
  readonly lead: readonly Prose[];
  readonly sections: readonly Section[];
}

/** A heading below that of the section. */
export function heading(text: string): Block {
  return { kind: 'heading', text };
}

/** A paragraph. */
export function paragraph(text: Prose): Block {
  return { kind: 'paragraph', text };
}

/** The drawings of a document, in their order. */
export function panelsOf({ sections }: ReproductionDocument): Panel[] {
  return sections.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'panels' ? block.panels : [])));
}
