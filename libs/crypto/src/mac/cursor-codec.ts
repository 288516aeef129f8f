import type { KeyObject } from 'node:crypto';
import { decodeBase64Url } from '../encoding/index.js';
import { mac, macEquals, macKey } from './mac.js';

/** The list a cursor belongs to. It opens for this account, this route and these ids in the path, and nowhere else. */
export interface CursorScope {
  readonly accountId: string;
  /** The operation that lists, audit scope included (ENV-17), as in `sparks.list`. */
  readonly routeId: string;
  /** The ids in the path, in their order, as in `[vaultId]`. */
  readonly pathIds: readonly string[];
}

export type CursorValue = string | number | boolean | null;

/** Where the next page begins, and the filters the list was begun with. */
export interface CursorPosition {
  /** The last row's sort keys as the listing service wrote them; it gets them back as they were. */
  readonly position: string;
  readonly filters: Readonly<Record<string, CursorValue>>;
}

export interface CursorSettings {
  /** How long a cursor opens. */
  readonly ttlSeconds?: number;
  /** Keys of before a rotation: they still open, they no longer sign. */
  readonly previousKeys?: readonly Buffer[];
  /** Milliseconds since 1970, for tests. */
  readonly now?: () => number;
}

const PREFIX = 'c1';
const MAC_LETTERS = 22; // 131 bits of the HMAC
const TEXT_LETTERS_MAX = 4_096;
const DAY_SECONDS = 86_400;

/** Signs and opens list cursors: `c1.` + base64url(JSON {k, f, e}) + `.` + the first 22 letters of the MAC. */
export class CursorCodec {
  readonly #keys: readonly [KeyObject, ...KeyObject[]];
  readonly #ttlSeconds: number;
  readonly #now: () => number;

  /** `key`: the CURSOR_KEY setting, at least 32 bytes. Cursors live for a day unless told otherwise. */
  constructor(
    key: Buffer,
    { ttlSeconds = DAY_SECONDS, previousKeys = [], now = Date.now }: CursorSettings = {},
  ) {
    this.#keys = [macKey(key), ...previousKeys.map(macKey)];
    this.#ttlSeconds = ttlSeconds;
    this.#now = now;
  }

  /** The cursor's text. It is signed, not secret: put nothing in it that the account may not see. */
  sign(scope: CursorScope, { position, filters }: CursorPosition): string {
    const expiresAtSeconds = Math.floor(this.#now() / 1000) + this.#ttlSeconds;
    const json = JSON.stringify({ k: position, f: filters, e: expiresAtSeconds });
    const payload = Buffer.from(json, 'utf8').toString('base64url');
    return `${PREFIX}.${payload}.${signature(this.#keys[0], scope, payload)}`;
  }

  /**
   * The position inside, or undefined. Tampered, foreign account, other list and expired are one answer, so that it
   * tells nobody which of them it was (ENV-15, ENV-16, ENV-17).
   */
  open(scope: CursorScope, text: string): CursorPosition | undefined {
    const [prefix, payload, presented, ...rest] = text.length > TEXT_LETTERS_MAX ? [] : text.split('.');
    if (prefix !== PREFIX || !payload || !presented || rest.length > 0) return undefined;
    if (!this.#keys.some((key) => macEquals(presented, signature(key, scope, payload)))) return undefined;
    return this.#read(payload);
  }

  // The payload is ours once its MAC holds, so its shape needs no second look; only its age does.
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
  return code.toString('base64url').slice(0, MAC_LETTERS);
}
