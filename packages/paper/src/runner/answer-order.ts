import { UserError } from 'evenhand';

/** The process of a job: is told its order as JSON on the command line, and prints the answer as JSON. */
export async function answerOrder<Order>(work: (order: Order) => Promise<object>): Promise<void> {
  try {
    process.stdout.write(JSON.stringify(await work(JSON.parse(process.argv[2] ?? ''))));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(error.message);
    process.exitCode = 1;
  }
}
