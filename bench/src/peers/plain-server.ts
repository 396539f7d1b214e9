// A model behind HTTP as one writes it in an afternoon: node:http and onnxruntime-node, one row per request, one run per row.
import { createServer } from 'node:http';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const [model = ''] = process.argv.slice(2);
// Several threads only get into each other's way with one row.
const session = await InferenceSession.create(model, { intraOpNumThreads: 1, logSeverityLevel: 3 });
const inputs = session.inputMetadata.map(({ name }) => name);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', async () => {
    const row = new Map<string, unknown>(Object.entries(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
    const feeds = Object.fromEntries(inputs.map((name) => [name, tensorOf(row.get(name))]));
    const { label, probabilities } = await session.run(feeds);
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({ class: label?.data[0], probabilities: Array.from(probabilities?.data ?? [], Number) }),
    );
  });
});

function tensorOf(value: unknown): Tensor {
  return typeof value === 'string'
    ? new Tensor('string', [value], [1, 1])
    : new Tensor('float32', Float32Array.of(Number(value)), [1, 1]);
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stdout.write(`${JSON.stringify({ address: `http://127.0.0.1:${port}` })}\n`);
});
