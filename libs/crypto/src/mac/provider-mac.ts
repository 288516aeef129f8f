import { createHmac } from 'node:crypto';

/**
 * The HMAC-SHA-256 by which a provider signs its requests. What it covers and how it is written are the provider's, so it has
 * neither a label nor length prefixes as the MACs between services. The key is the secret's text.
 * @param parts are concatenated
 */
export function providerMac(
  secret: string,
  encoding: 'hex' | 'base64',
  ...parts: readonly (string | Buffer)[]
): string {
  const code = createHmac('sha256', secret);
  for (const part of parts) code.update(part);
  return code.digest(encoding);
}
