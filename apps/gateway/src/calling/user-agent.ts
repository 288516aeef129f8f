import type { IncomingHttpHeaders } from 'node:http';

const CHARACTERS_MAX = 256;

/** C0 and C1 controls; Node reads header bytes as Latin-1. */
// eslint-disable-next-line no-control-regex -- naming them is the point of this expression
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/** How a caller names itself, for the audit trail; null where nothing is left of it. */
export function userAgentOf({ 'user-agent': text = '' }: IncomingHttpHeaders): string | null {
  return text.replace(CONTROLS, '').slice(0, CHARACTERS_MAX) || null;
}
