import { addressOf } from '../../../ui/typed-address.js';
import type { Recipient } from './draft.js';

export const RECIPIENTS_MAX = 500;

export const isPhone = (address: string): boolean => address.startsWith('+');

/** The recipients of a text: one, or several with commas, semicolons or lines between them. */
export function parseRecipients(
  text: string,
  colleagues: readonly Recipient[],
): { readonly found: readonly Recipient[]; readonly wrong: string | undefined } {
  const parts = text.split(/[,;\n]/u).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  const found: Recipient[] = [];
  for (const part of parts) {
    const one = recipientOf(part, colleagues);
    if (!one) return { found: [], wrong: part };
    found.push(one);
  }
  return { found, wrong: undefined };
}

function recipientOf(text: string, colleagues: readonly Recipient[]): Recipient | undefined {
  const wanted = text.toLowerCase();
  const named = colleagues.filter(({ name }) => name?.toLowerCase() === wanted);
  if (named.length === 1) return named[0];
  const address = addressOf(text);
  if (address === undefined) return undefined;
  const known = colleagues.find((one) => one.address.toLowerCase() === address.toLowerCase());
  return known ?? { address, name: undefined };
}

/** Both lists, each address once. */
export function merged(present: readonly Recipient[], added: readonly Recipient[]): readonly Recipient[] {
  const byAddress = new Map<string, Recipient>();
  for (const one of [...present, ...added]) {
    const key = one.address.toLowerCase();
    if (!byAddress.has(key)) byAddress.set(key, one);
  }
  return [...byAddress.values()];
}

/** Colleagues whom the text may mean and who are not among the recipients. */
export function suggestions(
  text: string,
  colleagues: readonly Recipient[],
  present: readonly Recipient[],
): readonly Recipient[] {
  const wanted = text.trim().toLowerCase();
  const taken = new Set(present.map(({ address }) => address.toLowerCase()));
  return colleagues
    .filter(({ address }) => !taken.has(address.toLowerCase()))
    .filter(({ address, name = '' }) => `${name} ${address}`.toLowerCase().includes(wanted))
    .slice(0, SUGGESTIONS_MAX);
}

const SUGGESTIONS_MAX = 5;
