import { UsageError } from '../failures.js';
import type { OptionSpec } from '../command-line/command.js';
import type { Invocation } from '../command-line/invocation.js';

/** The options of every command that lists. */
export const listOptions: Readonly<Record<string, OptionSpec>> = {
  limit: { value: 'count', summary: 'At most so many. By default all are listed.', field: 'limit' },
};

/** The items of a list, page by page, up to `--limit`. @throws UsageError */
export async function collect<T>(invocation: Invocation, items: AsyncIterable<T>): Promise<T[]> {
  const max = limitOf(invocation);
  const found: T[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length >= max) break;
  }
  return found;
}

function limitOf(invocation: Invocation): number {
  const text = invocation.option('limit');
  if (text === undefined) return Infinity;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--limit is a number from 1 on.');
  return Number(text);
}
