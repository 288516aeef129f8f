import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { bytesText, ProgressBar, progressLine } from './progress-bar.js';

describe('CLI-08: the progress bar', () => {
  it('shows share, bytes, speed and the time that is left', () => {
    expect(progressLine('a.bin', 250_000_000, 1_000_000_000, 50_000_000)).toBe(
      'a.bin  [#######---------------------]   25 %  250 MB of 1.0 GB  50.0 MB/s  15 s left',
    );
    expect(progressLine('a.bin', 0, 1_000, 0)).toBe(`a.bin  [${'-'.repeat(28)}]    0 %  0 B of 1.0 kB`);
    expect(progressLine('a.bin', 5, 5, 0)).toContain(`[${'#'.repeat(28)}]  100 %`);
  });

  it('measures the speed of a resumed transfer without the bytes of earlier runs', () => {
    let [now, text] = [0, ''];
    const screen = Object.assign(
      new Writable({ write: (chunk: Buffer, _, done) => ((text = chunk.toString()), done()) }),
      { isTTY: true },
    );
    const bar = new ProgressBar(screen, 'a', () => now);
    bar.update(900_000_000, 1_000_000_000);
    now = 1_000;
    bar.update(920_000_000, 1_000_000_000);
    expect(text).toContain('20.0 MB/s  4 s left');
  });

  it('writes a whole line each half a minute where the output is not a terminal', () => {
    let [now, text] = [0, ''];
    const log = new Writable({ write: (chunk: Buffer, _, done) => ((text += chunk.toString()), done()) });
    const bar = new ProgressBar(log, 'a', () => now);
    for (; now < 70_000; now += 1_000) bar.update(now, 100_000);
    bar.update(100_000, 100_000);
    bar.end();
    expect(text).toBe(
      [
        `a  [########--------------------]   30 %  30.0 kB of 100 kB  1.0 kB/s  1 min 10 s left\n`,
        `a  [################------------]   60 %  60.0 kB of 100 kB  1.0 kB/s  40 s left\n`,
      ].join(''),
    );
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [123_456, '123 kB'],
    [5_497_558_138_880, '5.5 TB'],
  ])('writes %d bytes in decimal units', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});
