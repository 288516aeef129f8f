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

/** What a refresh token claims to be, before anything is looked up. */
export interface ParsedRefreshToken {
  readonly familyId: string;
  readonly generation: number;
  readonly mac: Buffer;
}

/** A token that this family made, at whatever time: it may have been used, and the family may have ended. */
export interface GenuineRefreshToken {
  readonly family: Family;
  readonly generation: number;
}

/** The parts of a token, or nothing for a text that cannot be one. */
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

/** Of what tokens of a family are made. */
export type FamilySecret = Pick<Family, 'secret' | 'macKeyId'>;

/**
 * Refresh tokens are not stored but made: `vkr_` + base64url(format 1 || family 16 || generation 4 || MAC 32), the MAC
 * under a data key of KMS and over the family's secret. So a forged token finds no family to hurt, every old generation
 * is known without a history, and the same generation can be made again (ADR 7).
 *
 * Every method throws `KmsUnavailable` when the data key is neither in memory nor to be had.
 */
@Injectable()
export class RefreshTokens {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly families: SessionRepository,
  ) {}

  /**
   * What a new family is made of. Ask before the transaction that opens it: a data key that is not in memory takes a
   * connection of its own, and as many sign-ins at once would wait for it with all of them in their hands.
   */
  newSecret(): Promise<FamilySecret> {
    return this.dataKeys.current(PURPOSE, monthly, (_key, macKeyId) => ({
      secret: randomBytes(32),
      macKeyId,
    }));
  }

  /** The token of this generation; the same each time. */
  mint(family: Family, generation: number): Promise<string> {
    return this.#mac(family, generation, (code) => {
      const head = Buffer.alloc(MAC_OFFSET);
      head[0] = FORMAT;
      Buffer.from(family.id.replaceAll('-', ''), 'hex').copy(head, 1);
      head.writeUInt32BE(generation, GENERATION_OFFSET);
      return PREFIX + Buffer.concat([head, code]).toString('base64url');
    });
  }

  /** The family and generation of a token that we made; nothing for junk and forgeries. It locks no row. */
  async recognise(text: string): Promise<GenuineRefreshToken | undefined> {
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
