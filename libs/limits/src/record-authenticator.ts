import { timingSafeEqual, type KeyObject } from 'node:crypto';
import { mac, macKey } from '@vaultsvc/crypto/mac';
import { Logger } from '@nestjs/common';
import type { RotatedKey } from '@vaultsvc/config';
import { Counter } from 'prom-client';

/** Clocks of services that differ by more than this already break the deadlines of calls. */
const CLOCK_DIFFERENCE_SECONDS_MAX = 60;

/** The MAC is the last field of the JSON object, so that scripts in Redis read the record as it is. */
const MAC_FIELD = /,"mac":"(\d{1,15})\.([\w-]{43})"\}$/;

/** About a megabyte. */
const VERIFIED_MAX = 1_000;

const LOG_EVERY_MS = 60_000;

const refusedTotal = new Counter({
  name: 'vaultsvc_redis_records_refused_total',
  help: 'Records in Redis without a valid MAC: forged, moved, replayed, or written by an earlier release.',
  labelNames: ['record'],
});

interface Verified<Stored> {
  readonly text: string;
  /** Epoch milliseconds. */
  readonly untilMs: number;
  readonly record: Stored;
}

/**
 * Authenticates records of one kind in Redis, so that write access to Redis grants no access to the product. The MAC
 * covers the key of the record and the time until which it is accepted: a copy under another key, or one that is stored
 * again after its time, is refused. A record without a valid MAC counts as absent.
 */
export class RecordAuthenticator<Stored extends object> {
  readonly #logger = new Logger('records');
  readonly #keys: readonly [KeyObject, ...KeyObject[]];
  /** The last verified text of each record: that of a busy credential is read with every call. */
  readonly #verified = new Map<string, Verified<Stored>>();
  #loggedAtMs = -Infinity;

  /**
   * @param keys of at least 32 bytes, equal in the services that write and read records of this kind: the first one signs, all of
   *   them verify, so that a key can be rotated
   * @throws RangeError for a shorter key
   */
  constructor(
    [current, ...others]: RotatedKey,
    private readonly kind: 'credential' | 'pools',
  ) {
    this.#keys = [macKey(current), ...others.map(macKey)];
  }

  /**
   * The text of a record that Redis stores under `name`.
   * @param ttlSeconds the lifetime of the record in Redis; it is accepted for a minute longer, for clocks that differ
   */
  encode(name: string, record: Stored, ttlSeconds: number): string {
    const json = JSON.stringify(record);
    const until = String(Math.floor(Date.now() / 1_000) + ttlSeconds + CLOCK_DIFFERENCE_SECONDS_MAX);
    const text = this.#mac(this.#keys[0], name, until, json).toString('base64url');
    return `${json.slice(0, -1)},"mac":"${until}.${text}"}`;
  }

  /** The record that was encoded for this `name`; undefined, and counted, for any other text. */
  decode(name: string, text: string): Stored | undefined {
    const known = this.#verified.get(name);
    const verified = known?.text === text ? known : this.#verify(name, text);
    if (verified && verified.untilMs > Date.now()) return verified.record;
    refusedTotal.inc({ record: this.kind });
    this.#log();
    return undefined;
  }

  /** At most once a minute: each call with a credential whose record is refused would log a line. */
  #log(): void {
    const nowMs = performance.now();
    if (nowMs - this.#loggedAtMs < LOG_EVERY_MS) return;
    this.#loggedAtMs = nowMs;
    this.#logger.warn({
      msg: 'a record in Redis was refused: forged, expired, or of another key',
      record: this.kind,
    });
  }

  #verify(name: string, text: string): Verified<Stored> | undefined {
    const [field, until = '', presented = ''] = MAC_FIELD.exec(text) ?? [];
    if (field === undefined) return undefined;
    const json = `${text.slice(0, -field.length)}}`;
    // Of equal length by the pattern. `macEquals` would hash both, which costs as much as the MAC.
    const bytes = Buffer.from(presented, 'base64url');
    if (!this.#keys.some((key) => timingSafeEqual(bytes, this.#mac(key, name, until, json))))
      return undefined;
    const verified = { text, untilMs: Number(until) * 1_000, record: JSON.parse(json) as Stored };
    this.#remember(name, verified);
    return verified;
  }

  /** Forgets the record that was verified first, of too many. */
  #remember(name: string, verified: Verified<Stored>): void {
    this.#verified.delete(name);
    this.#verified.set(name, verified);
    if (this.#verified.size > VERIFIED_MAX) this.#verified.delete(this.#verified.keys().next().value ?? '');
  }

  #mac(key: KeyObject, name: string, until: string, json: string): Buffer {
    return mac(key, `vk/v1/record/${this.kind}`, name, until, json);
  }
}
