import { afterAll } from 'vitest';

// Files share processes: what one sets, such as EVENHAND_DATA, is not for the next.
const before = { ...process.env };
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
