import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The system's Chromium: `CHROMIUM`, or where distributions put it. */
const executablePath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== undefined && existsSync(path));

/** Why tests in a browser cannot run here, if they cannot. */
export const noChromium: string | undefined =
  executablePath === undefined
    ? 'no Chromium found: install it (Debian: apt-get install chromium) or set CHROMIUM'
    : undefined;

export function launchChromium(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(noChromium);
  // Root, as in containers, has no sandbox; the other flags keep the browser from looking for the network.
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
