import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { RawInput } from './read-line.js';
import { Terminal } from './terminal.js';

/** A terminal that records its mode, and what is written to it. */
class FakeTty extends PassThrough {
  readonly isTTY = true;
  readonly modes: boolean[] = [];

  setRawMode(isRaw: boolean): void {
    this.modes.push(isRaw);
  }
}

function shown() {
  let text = '';
  const screen = new Writable({
    write: (chunk: Buffer, _, done) => {
      text += chunk.toString();
      done();
    },
  });
  return { screen, text: () => text };
}

function ask(keys: string, isSecret = true) {
  const tty = new FakeTty();
  const { screen, text } = shown();
  const terminal = new Terminal(tty, screen);
  const answer = isSecret ? terminal.askSecret('Key: ', '') : terminal.ask('Name: ', '');
  tty.write(keys);
  return { answer, tty, text };
}

describe('a question on the terminal', () => {
  it('CLI-01: returns a secret of which nothing is shown, and restores the mode of the terminal', async () => {
    const { answer, tty, text } = ask('hunter2\r');
    expect(await answer).toBe('hunter2');
    expect(text()).toBe('Key: \n');
    expect(tty.modes).toEqual([true, false]);
  });

  it('shows what is typed where it is no secret, and obeys the keys that erase', async () => {
    const { answer, text } = ask('bad\u0015anm\u007fn\r', false);
    expect(await answer).toBe('ann');
    expect(text()).toBe('Name: bad\b \b\b \b\b \banm\b \bn\n');
  });

  it('CLI-03: ends with exit code 130 at Ctrl-C', async () => {
    const { answer, tty } = ask('hun\u0003');
    await expect(answer).rejects.toMatchObject({ exitCode: 130 });
    expect(tty.modes).toEqual([true, false]);
  });

  it('CLI-05: asks on the terminal while the standard input is a pipe', async () => {
    const tty = new FakeTty();
    const terminal = new Terminal(new PassThrough(), shown().screen, () => tty as unknown as RawInput);
    const answer = terminal.ask('Code: ', '');
    tty.write('123456\n');
    expect(await answer).toBe('123456');
  });

  it('CLI-01: is refused without a terminal, and says what to do instead', async () => {
    const terminal = new Terminal(new PassThrough(), shown().screen, () => undefined);
    await expect(terminal.askSecret('Key: ', 'Pass --key-stdin.')).rejects.toMatchObject({
      message: 'There is no terminal to ask on. Pass --key-stdin.',
      exitCode: 2,
    });
  });
});
