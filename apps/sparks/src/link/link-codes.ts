import { Injectable } from '@nestjs/common';
import { openContent, sealContent } from '@vaultsvc/crypto/aead';
import { DataKeys, monthly } from '@vaultsvc/crypto/data-keys';
import { lookupHash, mintLinkCode, parseLinkCode } from '@vaultsvc/crypto/tokens';
import { LINKS_LABEL, LINKS_PURPOSE, openEach } from './link-seal.js';
import type { LinkRow } from './link.repository.js';

/** What a link belongs to: the sealed code opens for no other. */
export interface LinkOwner {
  readonly accountId: string;
  readonly assetId: string;
}

/** A code with what is stored of it. */
export interface MintedLink {
  readonly code: string;
  readonly codeHash: Buffer;
  readonly kid: string;
  readonly sealedCode: Buffer;
}

export interface SealedLink extends LinkOwner {
  readonly linkId: string;
  readonly kid: string;
  readonly sealedCode: Buffer;
}

/** The index under which the link of this code is found; undefined for a text that is no code. */
export function codeHashOf(code: string): Buffer | undefined {
  const bytes = parseLinkCode(code);
  return bytes && lookupHash('link', bytes);
}

/** SparkLink codes: found by their hash, kept sealed so that the owner can be shown them again. */
@Injectable()
export class LinkCodes {
  constructor(private readonly keys: DataKeys) {}

  mint(owner: LinkOwner): Promise<MintedLink> {
    return this.keep(owner, mintLinkCode());
  }

  /** What is stored of a code that was drawn elsewhere. Throws for a text that is no code. */
  async keep({ accountId, assetId }: LinkOwner, code: string): Promise<MintedLink> {
    const bytes = parseLinkCode(code);
    if (!bytes) throw new Error('not a link code');
    return this.keys.current(LINKS_PURPOSE, monthly, (key, kid) => ({
      code,
      codeHash: lookupHash('link', bytes),
      kid,
      sealedCode: sealContent(key, LINKS_LABEL, [accountId, assetId], bytes),
    }));
  }

  /** The code of one link. */
  async openOne({ id, account_id, asset_id, kid, sealed_code }: LinkRow): Promise<string> {
    const link = { linkId: id, accountId: account_id, assetId: asset_id, kid, sealedCode: sealed_code };
    return (await this.openAll([link])).get(id) as string;
  }

  /** Codes by the link's id. */
  async openAll(links: readonly SealedLink[]): Promise<ReadonlyMap<string, string>> {
    const codes = await openEach(this.keys, links, open);
    return new Map(links.map(({ linkId }, i) => [linkId, codes[i] as string]));
  }
}

function open(key: Buffer, { accountId, assetId, sealedCode }: SealedLink): string {
  return openContent(key, LINKS_LABEL, [accountId, assetId], sealedCode).toString('latin1');
}
