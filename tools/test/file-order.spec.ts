import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { estimatedMs, longAmongShort, stackLater } from './file-order.ts';

const fileAt = (name: string) => ({ path: fileURLToPath(new URL(`../../${name}`, import.meta.url)) });
const named = (...paths: string[]) => paths.map((path) => ({ path }));

describe('The order of spec files', () => {
  it('puts long files among short ones, the longest of both kinds first', () => {
    const seconds = [1, 30, 2, 60, 3, 4, 20, 5];
    expect(longAmongShort(seconds, (each) => each * 1_000)).toEqual([60, 5, 4, 30, 3, 20, 2, 1]);
  });

  it('leaves none out where all are long, or all are short', () => {
    expect(longAmongShort([20, 30], (each) => each * 1_000)).toEqual([30, 20]);
    expect(longAmongShort([1, 2], (each) => each * 1_000)).toEqual([2, 1]);
  });

  it('estimates a file that has not run yet by its kind', () => {
    const [race, spec, text] = [
      'tools/races/upload-races.spec.ts',
      'apps/auth/src/domains/domains.spec.ts',
      'tools/test/file-order.spec.ts',
    ];
    expect(estimatedMs(fileAt(race))).toBeGreaterThan(estimatedMs(fileAt(spec)));
    expect(estimatedMs(fileAt(spec))).toBeGreaterThan(estimatedMs(fileAt(text)));
  });

  it('starts four spec files before the first end-to-end file, which waits for the stack', () => {
    const tests = named(
      '1.e2e.ts',
      '2.spec.ts',
      '3.spec.ts',
      '4.e2e.ts',
      '5.spec.ts',
      '6.spec.ts',
      '7.spec.ts',
    );
    expect(stackLater(tests).map(({ path }) => path)).toEqual([
      ...['2.spec.ts', '3.spec.ts', '5.spec.ts', '6.spec.ts'],
      ...['1.e2e.ts', '4.e2e.ts', '7.spec.ts'],
    ]);
  });

  it('leaves no file out where there are end-to-end files only', () => {
    const tests = named('1.e2e.ts', '2.e2e.ts');
    expect(stackLater(tests)).toEqual(tests);
  });
});
