/** A fenced block of a Markdown document: what stands behind the fence is its language and, after a space, its title. */
export interface CodeBlock {
  readonly language: string;
  readonly title: string;
  readonly code: string;
  /** The line of its fence, from 1. */
  readonly line: number;
}

/** The fenced blocks of a document, in their order; those inside a list are indented with it. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^([ \t]*)```([^\n`]*)\n(.*?)^\1```[ \t]*$/gms)].map((found) => {
    const [, indent = '', information = '', code = ''] = found;
    const [language = '', ...title] = information.trim().split(/\s+/);
    return {
      language,
      title: title.join(' '),
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: markdown.slice(0, found.index).split('\n').length,
    };
  });
}
