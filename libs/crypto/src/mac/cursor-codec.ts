import type { KeyObject } from 'node:crypto';
import { decodeBase64Url } from '../encoding/index.js';
import { mac, macEquals, macKey } from './mac.js';

/** The list of a cursor. The cursor is valid for this account, operation and path only. */
export interface CursorScope {
  readonly accountId: string;
  /** The listing operation, including the audit scope (ENV-17), for example `sparks.list`. */
  readonly routeId: string;
  /** The ids in the path in their order, for example `[vaultId]`. */
  readonly pathIds: readonly string[];
}

/** The value of a filter. */
export type CursorValue = string | number | boolean | null;

/** The end of a page, and the filters of the list. */
export interface CursorPosition {
  /** The sort keys of the last row, in a form that only the listing service reads. */
  readonly position: string;
  readonly filters: Readonly<Record<string, CursorValue>>;
}

/** Options of `CursorCodec`. */
export interface CursorSettings {
  /** Lifetime of a cursor in seconds; one day by default. */
  readonly ttlSeconds?: number;
  /** The other keys of a rotation: they verify cursors and sign none. */
  readonly previousKeys?: readonly Buffer[];
  /** Epoch milliseconds, for tests. */
  readonly now?: () => number;
}

const PREFIX = 'c1';
const MAC_CHARACTERS = 22; // 132 bits of the HMAC
/** A position by name carries the name of a file, and the filters two parts of one: 6,000 characters at most. */
const TEXT_CHARACTERS_MAX = 8_192;
const DAY_SECONDS = 86_400;

/** Signs and verifies list cursors: `c1.` + base64url(JSON {k, f, e}) + `.` + the first 22 characters of the MAC. */
export class CursorCodec {
  readonly #keys: readonly [KeyObject, ...KeyObject[]];
  readonly #ttlSeconds: number;
  readonly #now: () => number;

  /** `key`: the first of the CURSOR_KEY setting, at least 32 bytes. Throws RangeError for fewer. */
  constructor(
    key: Buffer,
    { ttlSeconds = DAY_SECONDS, previousKeys = [], now = Date.now }: CursorSettings = {},
  ) {
    this.#keys = [macKey(key), ...previousKeys.map(macKey)];
    this.#ttlSeconds = ttlSeconds;
    this.#now = now;
  }

  /** A cursor. It is signed but not encrypted, so it must contain nothing that the account may not read. */
  sign(scope: CursorScope, { position, filters }: CursorPosition): string {
    const expiresAtSeconds = Math.floor(this.#now() / 1000) + this.#ttlSeconds;
    const json = JSON.stringify({ k: position, f: filters, e: expiresAtSeconds });
    const payload = Buffer.from(json, 'utf8').toString('base64url');
    return `${PREFIX}.${payload}.${signature(this.#keys[0], scope, payload)}`;
  }

  /**
   * The position of a cursor; undefined if it is malformed, changed, expired, or of another account or list. Callers cannot
   * distinguish these cases (ENV-15, ENV-16, ENV-17).
   */
  open(scope: CursorScope, text: string): CursorPosition | undefined {
    const [prefix, payload, presented, ...rest] = text.length > TEXT_CHARACTERS_MAX ? [] : text.split('.');
    if (prefix !== PREFIX || !payload || !presented || rest.length > 0) return undefined;
    if (!this.#keys.some((key) => macEquals(presented, signature(key, scope, payload)))) return undefined;
    return this.#read(payload);
  }

  // The MAC authenticates the payload, so only its expiry remains to be checked.
  #read(payload: string): CursorPosition | undefined {
    const bytes = decodeBase64Url(payload);
    if (!bytes) return undefined;
    const { k, f, e } = JSON.parse(bytes.toString('utf8')) as SignedPayload;
    return this.#now() < e * 1000 ? { position: k, filters: f } : undefined;
  }
}

interface SignedPayload {
  readonly k: string;
  readonly f: Readonly<Record<string, CursorValue>>;
  readonly e: number;
}

function signature(key: KeyObject, { accountId, routeId, pathIds }: CursorScope, payload: string): string {
  const code = mac(key, 'vk/v1/cursor', accountId, routeId, ...pathIds, payload);
  return code.toString('base64url').slice(0, MAC_CHARACTERS);
}
