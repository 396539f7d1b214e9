// Adds to package-lock.json the binaries for other platforms that npm leaves out when the registry it asks, a mirror
// for one platform, does not have them: `npm ci` refuses a lock file without them (npm/cli issue 9846), and nobody on
// another platform could use it. Their checksums stay out, as we cannot see the files.
import { readFileSync, writeFileSync } from 'node:fs';

const lockFile = new URL('../package-lock.json', import.meta.url);
const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** Reads from a name such as `@rolldown/binding-linux-arm-gnueabihf` which machines the package is for. */
function platformOf(name) {
  const parts = name.split(/[-/]/);
  const os = systems.filter((system) => parts.includes(system));
  const cpu = processors.filter((processor) => parts.includes(processor));
  if (cpu.length !== 1 || (os.length !== 1 && cpu[0] !== 'wasm32')) {
    throw new Error(`${name} does not name one system and one processor: add its entry to package-lock.json by hand.`);
  }
  const libc = [/-musl/.test(name) && 'musl', /-gnu/.test(name) && 'glibc'].filter(Boolean);
  return { os, cpu, libc };
}

/** An entry with its keys in npm's order, so that the next `npm install` leaves it alone. */
function entry(name, version, dev) {
  const { os, cpu, libc } = platformOf(name);
  return {
    version,
    cpu,
    ...(dev && { dev }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}

const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
const missing = {};
for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`;
    if (path in lock.packages) continue;
    if (!/^\d+\.\d+\.\d+$/.test(version)) {
      throw new Error(`${name}@${version} is a range: add the version's entry to package-lock.json by hand.`);
    }
    missing[path] = entry(name, version, dev);
  }
}

const complete = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(lockFile, `${JSON.stringify({ ...lock, packages: Object.fromEntries(complete) }, null, 2)}\n`);
console.log(`package-lock.json: ${Object.keys(missing).length} entries added.`);
