import type { IncomingHttpHeaders } from 'node:http';

const CHARACTERS_MAX = 256;

/** C0 and C1 controls; Node reads header bytes as Latin-1. */
const CONTROLS = /\p{Cc}/gu;

/** How a caller names itself, for the audit trail; null where nothing is left of it. */
export function userAgentOf({ 'user-agent': text = '' }: IncomingHttpHeaders): string | null {
  return text.replace(CONTROLS, '').slice(0, CHARACTERS_MAX) || null;
}
