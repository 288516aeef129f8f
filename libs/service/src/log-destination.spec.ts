import { spawnSync } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import { logDestination } from './log-destination.js';

describe('The destination of log lines', () => {
  const open = () => {
    const written: string[] = [];
    return { written, destination: logDestination({ write: (text) => void written.push(text) }) };
  };

  it('writes the lines of one turn together, in their order', async () => {
    const { written, destination } = open();
    destination.write('one\n');
    destination.write('two\n');
    expect(written).toEqual([]);
    await nextTurn();
    destination.write('three\n');
    await nextTurn();
    expect(written).toEqual(['one\ntwo\n', 'three\n']);
  });

  it('does not gather more than 16 KiB', async () => {
    const { written, destination } = open();
    const line = `${'x'.repeat(1_023)}\n`;
    for (let count = 0; count < 40; count++) destination.write(line);
    await nextTurn();
    expect(written.join('')).toBe(line.repeat(40));
    expect(written.map(({ length }) => length)).toEqual([17 * 1_024, 17 * 1_024, 6 * 1_024]);
  });

  it('writes what was logged in the turn in which the process exits or fails', () => {
    for (const end of ['process.exit(3)', 'throw new Error("end")']) {
      const file = new URL('./log-destination.ts', import.meta.url).pathname;
      expect(lastLineOf(file, end)).toBe('last line\n');
    }
  });
});

/** The output of a process that logs a line and then ends. */
function lastLineOf(file: string, end: string): string {
  const source = `import { standardOutput } from '${file}'; standardOutput().write('last line\\n'); ${end};`;
  const { outputFiles } = buildSync({
    stdin: { contents: source, resolveDir: process.cwd() },
    bundle: true,
    platform: 'node',
    write: false,
  });
  return spawnSync(process.execPath, ['-'], { input: outputFiles[0]?.text, encoding: 'utf8' }).stdout;
}
