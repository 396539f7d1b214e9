import { DivergedError, type Divergence } from '../training/diverged.js';
import type { TrainingEvent } from '../training/events.js';
import { UserError } from '../user-error.js';
import type { TrialOrder } from './executor.js';
import { isOfMachine, MachineError, OtherDataError } from './machine-error.js';

/** What a process is told: a trial, or to leave its trial at a checkpoint. */
export type ProcessOrder = { readonly kind: 'begin'; readonly order: TrialOrder } | { readonly kind: 'leave' };

/** What a process tells of its trial. */
export type ProcessMessage =
  | { readonly kind: 'training'; readonly event: TrainingEvent }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly fault: TrialFault };

/** An error as plain data: it goes between processes. */
type TrialFault =
  | { readonly kind: 'input' | 'machine' | 'data'; readonly message: string; readonly options: readonly string[] }
  | {
      readonly kind: 'diverged';
      readonly message: string;
      readonly divergence: Divergence;
      readonly options: readonly string[];
    }
  | { readonly kind: 'internal'; readonly message: string };

/** Takes an error apart, to be sent. */
export function faultOf(error: unknown): TrialFault {
  if (error instanceof DivergedError) {
    const { message, divergence, options } = error;
    return { kind: 'diverged', message, divergence, options };
  }
  if (error instanceof UserError) {
    const kind = error instanceof OtherDataError ? 'data' : isOfMachine(error) ? 'machine' : 'input';
    return { kind, message: error.message, options: error.options };
  }
  return { kind: 'internal', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** The error that was sent. */
export function errorOf(fault: TrialFault): Error {
  switch (fault.kind) {
    case 'input':
      return new UserError(fault.message, { options: fault.options });
    case 'machine':
      return new MachineError(fault.message, { options: fault.options });
    case 'data':
      return new OtherDataError(fault.message, { options: fault.options });
    case 'diverged':
      return new DivergedError(fault.message, fault.divergence, fault.options);
    case 'internal':
      return new Error(fault.message);
  }
}
