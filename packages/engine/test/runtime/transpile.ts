import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A TypeScript file as JavaScript, one file at a time: all of ours are `isolatedModules`. */
export function transpile(file: string): string {
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  });
  return outputText;
}
