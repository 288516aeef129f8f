import { describe, expect, it } from '@jest/globals';
import { decode } from '../core/decode.js';
import { NewStructured } from './create-structured.js';
import { STRUCTURED_BODY_BYTES_MAX } from './structured.js';

/** Of the processor, whatever else the machine does; of two tries the better one. */
function costMs(work: () => void): number {
  const costs = [1, 2].map(() => {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1_000;
  });
  return Math.min(...costs);
}

function listOf(member: string): string {
  const count = Math.floor((STRUCTURED_BODY_BYTES_MAX - 40) / (member.length + 1));
  return `{"name":"a","data":{"k":[${Array<string>(count).fill(member).join(',')}]}}`;
}

describe('OPEN-06 OPEN-19: a list as long as a body may be', () => {
  it.each(['null', '""'])('is checked in about the time in which it is parsed: of %s', (member) => {
    const text = listOf(member);
    const parsed: unknown = JSON.parse(text);
    const parseMs = costMs(() => JSON.parse(text));
    expect(costMs(() => decode(NewStructured, parsed))).toBeLessThan(3 * parseMs + 50);
  });
});
