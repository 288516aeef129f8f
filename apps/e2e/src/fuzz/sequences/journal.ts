import type { Answer, CallParts } from './answer.js';
import type { LinkDomain, PublicOperation } from '@vaultsvc/contracts';
import type { Transport } from './figures.js';
import type { Owner } from './known-values.js';

/** The credential of a call: of an account, of a person without one, of nobody, or a key that a step has created. */
export type Credential = 'key' | 'session' | 'identity' | 'none' | { readonly key: string };

/** One call of a sequence. */
export interface Attempt {
  readonly owner: Owner;
  readonly via: Transport;
  readonly credential: Credential;
  readonly op: PublicOperation;
  readonly parts: CallParts;
  readonly vat: string | undefined;
  /** The origin of a link page. */
  readonly domain?: LinkDomain;
}

/** The calls of a sequence with their answers, as lines for a shell. */
export class Journal {
  readonly #lines: string[] = [];

  add(attempt: Attempt, { status, reason }: Answer): void {
    this.#lines.push(`${lineOf(attempt)}  # ${status}${reason ? ` ${reason}` : ''}`);
  }

  /** A remark between calls. */
  note(text: string): void {
    this.#lines.push(`# ${text}`);
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}

function lineOf({ owner, via, credential, op, parts, vat, domain }: Attempt): string {
  const origin = domain === undefined ? '$API' : domain === 'link' ? '$LINKS' : '$FILES';
  const headers = [headerOf(owner, credential), vat === undefined ? '' : `-H "X-Vault-Access-Token: ${vat}"`];
  const body = parts.body ? `-d '${JSON.stringify(parts.body).replaceAll("'", "'\\''")}'` : '';
  const words = ['curl -X', op.http.method, `"${origin}${targetOf(op, parts)}"`, ...headers, body];
  return `${words.filter(Boolean).join(' ')}${via === 'wire' ? '  # on the wire' : ''}`;
}

function headerOf(owner: Owner, credential: Credential): string {
  if (credential === 'none') return '';
  if (credential === 'session' || credential === 'identity')
    return `-H "Authorization: Bearer $${credential.toUpperCase()}_${owner}"`;
  return `-H "X-API-Key: ${credential === 'key' ? `$KEY_${owner}` : credential.key}"`;
}

function targetOf({ http }: PublicOperation, { params = {}, query = {} }: CallParts): string {
  const path = http.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
}
