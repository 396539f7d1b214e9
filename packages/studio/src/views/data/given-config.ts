import type { ConfigOption } from 'evenhand/studio';

/** A configuration as the server takes it: sections with options. */
export type GivenConfig = {
  readonly data: { readonly source: string; readonly [option: string]: unknown };
  readonly [section: string]: unknown;
};

/** What a person chose about the data. */
export interface DataChoice {
  readonly source: string;
  readonly target: string;
  /** Columns that are left out. */
  readonly ignore: readonly string[];
  /** Types of columns, where they are not what their cells suggest. */
  readonly types: Readonly<Record<string, string>>;
}

/** The configuration of a choice and of the fields of the form that are filled in, by dotted names. */
export function givenConfig(choice: DataChoice, fields: ReadonlyMap<string, unknown>): GivenConfig {
  const { source, target, ignore, types } = choice;
  const sections = new Map<string, Map<string, unknown>>();
  const top: [string, unknown][] = [];
  for (const [path, value] of fields) {
    const [section = '', ...rest] = path.split('.');
    if (rest.length === 0) top.push([section, value]);
    else sections.set(section, new Map([...(sections.get(section) ?? []), [rest.join('.'), value]]));
  }
  const data = {
    ...Object.fromEntries(sections.get('data') ?? []),
    source,
    ...(target === '' ? {} : { target }),
    ...(ignore.length === 0 ? {} : { ignore }),
    ...(Object.keys(types).length === 0 ? {} : { types }),
  };
  sections.delete('data');
  const others = [...sections].map(([section, options]) => [section, Object.fromEntries(options)] as const);
  return { ...Object.fromEntries([...top, ...others]), data };
}

/**
 * What a field's text stands for; undefined if it is empty.
 *
 * @throws SyntaxError never: what is no JSON is text, and the server says what it expected
 */
export function fieldValue({ form, values }: Pick<ConfigOption, 'form' | 'values'>, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (form === 'text' || values.includes('|')) return trimmed;
  if (form === 'texts')
    return trimmed
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  try {
    const parsed: unknown = JSON.parse(trimmed);
    return parsed;
  } catch {
    return trimmed;
  }
}
