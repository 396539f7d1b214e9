import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { Connection } from '../../src/runtime/connection.js';
import { errorFrom, errorRecord, StateError, WorkerError } from '../../src/runtime/errors.js';

const connect = (script: string) =>
  new Connection(new Worker(`const { parentPort } = require('node:worker_threads'); ${script}`, { eval: true }));

describe('a worker thread that ends unexpectedly', () => {
  it('rejects the calls that wait, and later ones, if it throws', async () => {
    const connection = connect(`parentPort.on('message', () => { throw new RangeError('out of luck'); });`);
    const calls = [connection.call({ kind: 'state' }), connection.call({ kind: 'state' })];
    const message = 'the worker thread crashed: out of luck. Its state is lost; start another trainer';
    for (const call of calls) await expect(call).rejects.toThrow(new WorkerError(message));
    await connection.ended;
    await expect(connection.call({ kind: 'state' })).rejects.toThrow(new WorkerError(message));
  });

  it('rejects them if it exits', async () => {
    const connection = connect(`parentPort.on('message', () => process.exit(3));`);
    await expect(connection.call({ kind: 'state' })).rejects.toThrow(
      new WorkerError('the worker thread ended by itself with code 3; start another trainer'),
    );
  });

  it('rejects them if a promise in it is rejected and nobody listens', async () => {
    const connection = connect(`parentPort.on('message', () => void Promise.reject(new Error('unheard')));`);
    await expect(connection.call({ kind: 'state' })).rejects.toThrow(/crashed: unheard/);
  });
});

describe('errors between threads', () => {
  it('keep class, message and stack', () => {
    const error = new StateError('does not fit');
    const received = errorFrom(structuredClone(errorRecord(error)));
    expect(received).toBeInstanceOf(StateError);
    expect(received).toMatchObject({ message: 'does not fit', stack: error.stack });
  });

  it('keep the name of a class that only one side knows', () => {
    class ExoticError extends Error {
      override readonly name = 'ExoticError';
    }
    expect(errorFrom(errorRecord(new ExoticError('odd')))).toMatchObject({ name: 'ExoticError', message: 'odd' });
  });

  it('can be made of anything that was thrown', () => {
    expect(errorFrom(errorRecord('a text'))).toMatchObject({ name: 'Error', message: 'a text' });
  });
});
