import { createHash } from 'node:crypto';
import { inOtherCase } from './crm/salesforce-id.ts';

/** Codes that the fakes accept; each names another workspace, portal or org. */
const ACCEPTED = /^local-ok/;

export const isAccepted = (code: unknown): code is string => typeof code === 'string' && ACCEPTED.test(code);

/** Characters that a code always leads to. */
export function charactersOf(code: string, length: number) {
  const hex = createHash('sha256').update(code).digest('hex');
  return BigInt(`0x${hex}`).toString(36).toUpperCase().slice(0, length);
}

/** A number that a code always leads to. */
export function numberOf(code: string) {
  return 10_000_000 + (createHash('sha256').update(code).digest().readUInt32BE(0) % 90_000_000);
}

/** The org of the second CRM that a code leads to, with 15 characters. That of `<code>-case` differs from that of `<code>` in case only. */
export function orgIdOf(code: string) {
  const base = code.replace(/-case$/, '');
  const mixed = [...charactersOf(base, 12)]
    .map((one, place) => (place % 2 ? one.toLowerCase() : one))
    .join('');
  return `00D${base === code ? mixed : inOtherCase(mixed)}`;
}
