import type { Reporter, TestModule } from 'vitest/node';

/** Says at the end which tests did not run, and why. */
export class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const reason = result.state === 'skipped' ? result.note : undefined;
        console.log(
          `skipped: ${module.relativeModuleId} > ${test.fullName}${reason === undefined ? '' : `: ${reason}`}`,
        );
      }
    }
  }
}
