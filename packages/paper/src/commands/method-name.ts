import { oneOf } from 'evenhand/command-line';
import { CELL_METHODS, type CellMethod } from '../tables/cell-methods.js';

/**
 * The name of a cell's method, as it was typed.
 *
 * @throws {@link UserError} with the names that there are
 */
export function methodOf(option: string, name: string): CellMethod {
  return oneOf(option, name, CELL_METHODS);
}
