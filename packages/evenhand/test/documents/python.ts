import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CANDIDATES = [process.env.PYTHON, 'python3', '/usr/bin/python3'].filter((command) => command !== undefined);

function has(python: string, module: string): boolean {
  return spawnSync(python, ['-c', `import ${module}`], { stdio: 'ignore' }).status === 0;
}

const [withRuntime] = CANDIDATES.filter((python) => has(python, 'numpy') && has(python, 'onnxruntime'));
const python = withRuntime ?? CANDIDATES.find((candidate) => has(candidate, 'numpy'));

/** Why no Python can be run here, if so. */
export const NO_PYTHON =
  python === undefined ? 'no Python with NumPy found: install it (Debian: apt-get install python3-numpy)' : undefined;

/**
 * Most distributions have no onnxruntime for Python. Where it is missing, this is in its place: the arrays go, with the types and shapes that
 * NumPy gave them, to the same runtime in Node.
 */
const BINDING = `
import json, subprocess
import numpy

class InferenceSession:
  def __init__(self, path):
    self.path = path

  def run(self, names, inputs):
    given = {name: [str(array.dtype), array.ravel().tolist(), array.shape] for name, array in inputs.items()}
    answer = subprocess.run([NODE, SCRIPT, self.path], input=json.dumps(given), capture_output=True, text=True)
    if answer.returncode != 0: raise RuntimeError(answer.stderr)
    return [numpy.array(data).reshape(shape) for data, shape in json.loads(answer.stdout)]
`;

const SCRIPT = fileURLToPath(new URL('./run-arrays.mjs', import.meta.url));

/** What a program prints. */
export function runPython(code: string, folder: string): string {
  const modules = join(folder, 'python');
  mkdirSync(modules, { recursive: true });
  const places = `NODE = ${JSON.stringify(process.execPath)}\nSCRIPT = ${JSON.stringify(SCRIPT)}\n`;
  if (withRuntime === undefined) writeFileSync(join(modules, 'onnxruntime.py'), `${places}${BINDING}`);
  const env = { ...process.env, PYTHONPATH: modules };
  return execFileSync(python ?? '', ['-c', code], { cwd: folder, env, encoding: 'utf8' });
}
