import { z } from 'zod';
import { UserError } from '../user-error.js';
import type { Method, MethodContext, PreparedMethod } from './method.js';

/** What a method may know, with its name, for messages, and the number of classes. */
export interface NamedContext extends MethodContext {
  readonly method: string;
  readonly classes: number;
}

/** A method as its file describes it: with options that have been checked. */
interface Definition<Name extends string, Options extends z.ZodObject>
  extends Omit<Method<Name, Options>, 'prepare' | 'section'> {
  prepare(context: NamedContext, options: z.output<Options>): PreparedMethod;
}

/** Puts the check of the options in front of a method. */
export function defineMethod<Name extends string, Options extends z.ZodObject>(
  definition: Definition<Name, Options>,
): Method<Name, Options> {
  return {
    ...definition,
    section: z.strictObject({ name: z.literal(definition.name), ...definition.options.shape }),
    prepare: (context, options = {}) => {
      const checked = z.safeParse(definition.options, options, { reportInput: true });
      const named = { ...context, method: definition.name, classes: context.classNames.length };
      if (checked.success) return definition.prepare(named, checked.data);
      throw new UserError(complaint(definition, checked.error));
    },
  };
}

/** JSON has no word for numbers that are not finite. */
function shown(input: unknown): string {
  return typeof input === 'number' ? String(input) : JSON.stringify(input);
}

function complaint({ name, options }: Pick<Method, 'name' | 'options'>, { issues: [issue] }: z.ZodError): string {
  const known = Object.keys(options.shape);
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    const expected = known.length === 0 ? 'it has none' : `expected ${known.join(', ')}`;
    return `the method "${name}" has no option "${issue.keys.join('", "')}"; ${expected}`;
  }
  const where = issue?.path.length ? `the option "${issue.path.join('.')}"` : 'options';
  return `${where} of the method "${name}": received ${shown(issue?.input)}. ${issue?.message}`;
}
