import { UserError } from 'evenhand';
import { SEVEN_TABLES, sevenTablesFolder, tablesIn } from '../../seven-tables/tables.js';

/**
 * The folder, which has all of the seven tables.
 *
 * @param asking - the option that needs them
 */
export async function sevenFolder(given: string | undefined, asking: string): Promise<string> {
  const folder = given ?? sevenTablesFolder();
  const known = await tablesIn(folder);
  const missing = Object.keys(SEVEN_TABLES).filter((table) => !known.includes(table));
  if (missing.length === 0) return folder;
  throw new UserError(`${folder} has no table ${missing.join(', ')}; with ${asking}, expected all of the seven`);
}
