import type { IncomingMessage } from 'node:http';

/** Whether a client names HTML (RFC 9110, 12.5.1), as browsers do. Wildcards do not count: clients of the API send them. */
export function acceptsHtml({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.split(',').some((range) => /^\s*text\/html\s*(;(?!.*q=0(\.0*)?\s*$).*)?$/i.test(range));
}
