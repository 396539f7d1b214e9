#!/usr/bin/env node
// npm links the commands of a clone when it installs, before there is a dist: so this file is no part of the build.
import { existsSync } from 'node:fs';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write('evenhand-paper: it is not built yet; run "npm run build" first\n');
  process.exitCode = 1;
}
