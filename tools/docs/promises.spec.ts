import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workspace } from '../stack/settings.ts';
import { unprovenPromises } from './promises.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'vaultsvc-promises-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function problemsOf(...rows: string[]): string[] {
  const table = ['| promise | held by |', '| --- | --- |', ...rows.map((row) => `| ${row} |`)];
  writeFileSync(
    join(folder, 'SECURITY.md'),
    ['# Security', '', ...table, '', '| other | table |', ''].join('\n'),
  );
  return unprovenPromises(folder, workspace);
}

const own = 'tools/docs/promises.spec.ts';

describe('The promises of SECURITY.md', () => {
  it('are held by tests with these words in their titles', () => {
    expect(problemsOf(`A promise. | [are held by tests with these words](${own})`)).toEqual([]);
  });

  it('are reported without a test, with a test that is gone, and with words that no title has', () => {
    const [none, gone, other] = ['SECURITY.md:5', 'SECURITY.md:6', 'SECURITY.md:7'];
    expect(
      problemsOf('A promise. | none', 'A promise. | [x](apps/gone.spec.ts)', `A promise. | [y y](${own})`),
    ).toEqual([
      `${none}: a promise without a test`,
      `${gone}: apps/gone.spec.ts has no test "x"`,
      `${other}: ${own} has no test "y y"`,
    ]);
  });

  it('of this repository are held', () => {
    expect(unprovenPromises(workspace)).toEqual([]);
  });
});
