import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataKeys, monthly } from '@vaultsvc/crypto/data-keys';
import { decodeBase64Url } from '@vaultsvc/crypto/encoding';
import { mac, macEquals } from '@vaultsvc/crypto/mac';
import { SessionRepository, type Family } from './session.repository.js';

const PURPOSE = 'refresh';
const PREFIX = 'vkr_';
const FORMAT = 1;
const FAMILY_BYTES = 16;
const GENERATION_OFFSET = 1 + FAMILY_BYTES;
const MAC_OFFSET = GENERATION_OFFSET + 4;
const TOKEN_BYTES = MAC_OFFSET + 32;

/** The unverified parts of a refresh token. */
export interface ParsedRefreshToken {
  readonly familyId: string;
  readonly generation: number;
  readonly mac: Buffer;
}

/** An authentic token of a family. It may have been used, and the family may have ended. */
export interface AuthenticRefreshToken {
  readonly family: Family;
  readonly generation: number;
}

/** Parses a token; undefined for malformed text. */
function parseRefreshToken(text: string): ParsedRefreshToken | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  const bytes = decodeBase64Url(text.slice(PREFIX.length));
  if (bytes?.length !== TOKEN_BYTES || bytes[0] !== FORMAT) return undefined;
  return {
    familyId: uuidOf(bytes.subarray(1, GENERATION_OFFSET)),
    generation: bytes.readUInt32BE(GENERATION_OFFSET),
    mac: bytes.subarray(MAC_OFFSET),
  };
}

/** The secrets from which the tokens of a family are derived. */
export type FamilySecret = Pick<Family, 'secret' | 'macKeyId'>;

/**
 * Refresh tokens are derived, not stored: `vkr_` + base64url(format 1 || family 16 || generation 4 || MAC 32), with a MAC under
 * a KMS data key over the family's secret. A forged token therefore matches no family, every old generation is recognised
 * without a history, and a generation can be issued again (ADR 7).
 *
 * Every method throws `KmsUnavailable` if the data key is not cached and KMS does not provide it.
 */
@Injectable()
export class RefreshTokens {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly families: SessionRepository,
  ) {}

  /**
   * Generates the secrets of a new family. Call it before the transaction that opens the family: loading an uncached data key
   * needs a second connection, and concurrent sign-ins could exhaust the pool while they wait for one.
   */
  newSecret(): Promise<FamilySecret> {
    return this.dataKeys.current(PURPOSE, monthly, (_key, macKeyId) => ({
      secret: randomBytes(32),
      macKeyId,
    }));
  }

  /** Derives the token of this generation, always the same. */
  mint(family: Family, generation: number): Promise<string> {
    return this.#mac(family, generation, (code) => {
      const head = Buffer.alloc(MAC_OFFSET);
      head[0] = FORMAT;
      Buffer.from(family.id.replaceAll('-', ''), 'hex').copy(head, 1);
      head.writeUInt32BE(generation, GENERATION_OFFSET);
      return PREFIX + Buffer.concat([head, code]).toString('base64url');
    });
  }

  /** Verifies a token; undefined for malformed or forged ones. Locks no row. */
  async recognise(text: string): Promise<AuthenticRefreshToken | undefined> {
    const parsed = parseRefreshToken(text);
    const family = parsed && (await this.families.find(parsed.familyId));
    if (!family || !(await this.#isOf(family, parsed))) return undefined;
    return { family, generation: parsed.generation };
  }

  #isOf(family: Family, parsed: ParsedRefreshToken): Promise<boolean> {
    return this.#mac(family, parsed.generation, (code) => macEquals(code, parsed.mac));
  }

  #mac<T>(family: Family, generation: number, use: (code: Buffer) => T): Promise<T> {
    const { id, delivery, secret, macKeyId } = family;
    return this.dataKeys.byId(PURPOSE, macKeyId, (key) =>
      use(mac(key, 'vk/v1/refresh', id, String(generation), delivery, secret)),
    );
  }
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
