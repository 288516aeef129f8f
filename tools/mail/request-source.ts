import { isUtf8 } from 'node:buffer';

/**
 * A request as it was received, to read: its first line, headers and body. A body that is not text, such as an encrypted push,
 * is in Base64. Credentials are left out.
 */
export function requestSource({
  method,
  path,
  headers,
  raw,
}: {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  raw: Buffer;
}): Buffer {
  const fields = Object.entries(headers)
    .filter(([name]) => !name.startsWith(':'))
    .map(
      ([name, value]) => `${name}: ${name === 'authorization' ? '(left out)' : [value].flat().join(', ')}`,
    );
  const body = isUtf8(raw) ? raw.toString() : `(not text, in Base64)\n${raw.toString('base64')}`;
  return Buffer.from([`${method} ${path}`, ...fields, '', body].join('\n'));
}
