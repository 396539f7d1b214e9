import type { Command } from 'commander';
import { drainQueues, queueStatus, retryFailed } from '../../queue/queue-admin.js';
import { counted } from '../../wording/numbers.js';
import { addExamples, addOutputOptions, terminalOf } from '../options/define-command.js';
import { addQueueOption, requireQueue } from '../options/queue-options.js';
import { formatTable } from '../terminal/table.js';
import { printable } from '../terminal/text.js';

const EXAMPLE = 'queue status --queue redis://queue.example:6379';

/** `evenhand queue`. */
export function defineQueue(command: Command): Command {
  define(
    command,
    'status',
    'Shows what is waiting, what is being trained, and by which workers.',
    async (url, terminal) => {
      const status = await queueStatus(url);
      const titles = ['queue', 'waiting', 'active', 'completed', 'failed'].map((title) => ({ title }));
      const rows = status.queues.map(({ name, waiting, active, completed, failed }) => [
        printable(name),
        ...[waiting, active, completed, failed].map(String),
      ]);
      terminal.say(rows.length === 0 ? `Nobody has used ${status.server} yet.` : formatTable(titles, rows));
      for (const { reasons } of status.queues)
        for (const { trial, reason } of reasons) terminal.say(`  failed: ${printable(trial)}: ${printable(reason)}`);
      for (const [kind, all] of [
        ['coordinator', status.coordinators],
        ['worker', status.workers],
      ] as const) {
        for (const { host, pid, queue, about } of all)
          terminal.say(`  ${kind} ${printable(`${host}:${pid}`)}  ${printable(queue)}  ${printable(about.join(', '))}`);
      }
      terminal.json(status);
    },
  );
  define(command, 'retry', 'Puts failed trials back into the queue.', async (url, terminal) => {
    const retried = await retryFailed(url);
    terminal.say(`${counted(retried, 'trial')} put back into the queue`);
    terminal.json({ retried });
  });
  define(command, 'drain', 'Removes trials that no worker has begun.', async (url, terminal) => {
    const removed = await drainQueues(url);
    terminal.say(`${counted(removed, 'trial')} removed; a coordinator that is still running puts its own back`);
    terminal.json({ removed });
  });
  return addExamples(command, [EXAMPLE]);
}

function define(
  parent: Command,
  name: string,
  description: string,
  action: (url: string, terminal: ReturnType<typeof terminalOf>) => Promise<void>,
): void {
  const command = parent.command(name).description(description);
  addOutputOptions(addQueueOption(addExamples(command, [EXAMPLE.replace('status', name)]), 'where the queue is'));
  command.action(() => action(requireQueue(command), terminalOf(command)));
}
