import { jest } from '@jest/globals';

/** The bytes, as hex, that a call overwrote with zeros: what they were before. */
export function wipedBy(act: () => unknown): string[] {
  const fill = Buffer.prototype.fill;
  const wiped: string[] = [];
  const spy = jest.spyOn(Buffer.prototype, 'fill').mockImplementation(function (this: Buffer, ...args) {
    if (args[0] === 0) wiped.push(this.toString('hex'));
    return fill.apply(this, args);
  });
  try {
    act();
    return wiped;
  } finally {
    spy.mockRestore();
  }
}
