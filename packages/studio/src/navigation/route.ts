import { computed, signal } from '@preact/signals';

/** Where the page is: `#/runs/4f…?tab=curves`. Every view, with what is chosen in it, has an address. */
export interface Route {
  /** `['runs', '4f…']` */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The address as it is now. */
export const route = computed((): Route => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?');
  const names = path.split('/').filter((name) => name !== '');
  return { path: names.map(decoded), query: new URLSearchParams(query) };
});

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The address of a view. */
export function addressOf(path: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const told = Object.entries(query).filter(([, value]) => value !== '');
  const search = told.length === 0 ? '' : `?${new URLSearchParams(told)}`;
  return `#/${path.map(encodeURIComponent).join('/')}${search}`;
}

/** Goes to a view. */
export function go(path: readonly string[], query: Readonly<Record<string, string>> = {}): void {
  location.hash = addressOf(path, query);
}

/** Changes what is chosen in this view, without a step in the history for every letter. */
export function setQuery(changes: Readonly<Record<string, string>>): void {
  const { path, query } = route.value;
  const address = addressOf(path, { ...Object.fromEntries(query), ...changes });
  history.replaceState(null, '', address);
  hash.value = address;
}
