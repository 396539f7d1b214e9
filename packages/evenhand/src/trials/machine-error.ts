import { errorCode } from '../files/file-error.js';
import { UserError } from '../user-error.js';

/** A trial could not be carried out for a reason that is this machine's: another one may succeed. */
export class MachineError extends UserError {}

/** The data on this machine is not what the trial was ordered for. */
export class OtherDataError extends UserError {}

/** Whether an error is about the machine: its disk is full, it was short of memory. */
export function isOfMachine(error: unknown): boolean {
  return error instanceof MachineError || (error instanceof UserError && errorCode(error.cause) !== undefined);
}
