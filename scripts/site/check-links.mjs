import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Every link of a built site that leads nowhere: to a page or a file that is not there, or to an anchor that its page does not have. */
export function deadLinks(folder, base = '/') {
  const files = readdirSync(folder, { recursive: true }).map((file) => file.replaceAll('\\', '/'));
  const anchors = new Map();
  const anchorsOf = (file) => {
    if (!anchors.has(file)) {
      const ids = readFileSync(join(folder, file), 'utf8').matchAll(/\s(?:id|name)="([^"]*)"/g);
      anchors.set(file, new Set([...ids].map(([, id]) => decode(id))));
    }
    return anchors.get(file);
  };
  return files
    .filter((file) => file.endsWith('.html') && !file.startsWith('playground'))
    .flatMap((file) => {
      const html = readFileSync(join(folder, file), 'utf8');
      const links = new Set([...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => decode(link)));
      return [...links]
        .filter((link) => !/^([a-z]+:|\/\/)/.test(link))
        .flatMap((link) => {
          const [path, fragment = ''] = link.split('#');
          const target = fileOf(folder, file, path, base);
          if (target === undefined) return [`${file}: ${link} is not there`];
          if (fragment === '' || !target.endsWith('.html') || target.startsWith('playground')) return [];
          return anchorsOf(target).has(decodeURIComponent(fragment))
            ? []
            : [`${file}: ${link} names a heading that is not there`];
        });
    });
}

function fileOf(folder, from, path, base) {
  const clean = decodeURIComponent(path.replace(/\?.*$/, ''));
  const within = clean.startsWith(base) ? clean.slice(base.length) : posix.join(posix.dirname(from), clean);
  const wanted = clean === '' ? from : within;
  return [wanted, `${wanted}.html`, posix.join(wanted, 'index.html')].find(
    (file) => /\.[a-z0-9]+$/i.test(file) && existsSync(join(folder, file)),
  );
}

function decode(text) {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}
