import { oneOf } from 'evenhand/command-line';
import { isMethodName, type MethodName, methods } from 'evenhand/config';

/**
 * The name of a method, as it was typed.
 *
 * @throws {@link UserError} with the names that there are
 */
export function methodOf(option: string, name: string): MethodName {
  return oneOf(option, name, Object.keys(methods).filter(isMethodName));
}
