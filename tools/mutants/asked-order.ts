import { createRequire } from 'node:module';
import type { Test } from '@jest/test-result';

// Required: the declarations of the package describe its CommonJS file only.
const { default: DefaultSequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof import('@jest/test-sequencer');

/** Spec files in the order of the command line: the one that is nearest to a mutant kills most of them. */
export default class AskedOrder extends DefaultSequencer {
  override sort(tests: Test[]): Test[] {
    const place = ({ path }: Test) => process.argv.findIndex((name) => path.endsWith(`/${name}`));
    return tests.toSorted((a, b) => place(a) - place(b));
  }
}
