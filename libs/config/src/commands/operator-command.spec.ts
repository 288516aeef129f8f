import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseCommandLine, runCommand, UsageError } from './operator-command.js';

const USAGE = 'Usage: node move.js --to <place>';
const options = { to: { type: 'string' } } as const;

describe('The command line of an operator', () => {
  it('is parsed by its options', () => {
    expect(parseCommandLine({ args: ['--to', 'a'], options }, USAGE).values.to).toBe('a');
  });

  it.each([['--form'], ['--to'], ['a']])('is refused with the argument and the usage: %s', (argument) => {
    const parse = () => parseCommandLine({ args: [argument], options }, USAGE);
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(new RegExp(`${argument}[^]*\\n${USAGE}$`));
  });
});

describe('A command of an operator', () => {
  const written: string[] = [];

  beforeEach(() => {
    written.length = 0;
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    process.exitCode = undefined;
  });

  it('keeps its own exit code', async () => {
    await runCommand(async () => void (process.exitCode = 3));
    expect([process.exitCode, written]).toEqual([3, []]);
  });

  it('ends with 2 where its command line cannot be used', async () => {
    await runCommand(() => Promise.reject(new UsageError('--to is missing.', USAGE)));
    expect([process.exitCode, written]).toEqual([2, [`--to is missing.\n${USAGE}\n`]]);
  });

  it('ends with 1 and one line for any other failure, without its stack', async () => {
    await runCommand(() => Promise.reject(new Error('no connection')));
    expect([process.exitCode, written]).toEqual([1, ['no connection\n']]);
  });
});
