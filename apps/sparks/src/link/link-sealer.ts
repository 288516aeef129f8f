import { Injectable } from '@nestjs/common';
import { shardOf } from '@vaultsvc/crypto/encoding';
import { openContent, sealContent } from '@vaultsvc/crypto/aead';
import { DataKeys, monthly } from '@vaultsvc/crypto/data-keys';
import { lookupHash, mintLinkCode, parseLinkCode } from '@vaultsvc/crypto/tokens';

/** The purpose of the data keys for links, one key for each month. */
export const LINKS_PURPOSE = 'links';
const LINKS_LABEL = 'vk/v1/sealed/links';

/** A sealed text of a link: an invited or verified identity, or a message. */
export interface SealedLinkText {
  readonly linkId: string;
  readonly kid: string;
  readonly sealed: Buffer;
}

/** The associated data of a sealed code: it opens for no other account and asset. */
export interface LinkOwner {
  readonly accountId: string;
  readonly assetId: string;
}

/** A link code in clear, and the columns that are stored of it. */
export interface MintedLink {
  readonly code: string;
  readonly codeHash: Buffer;
  readonly kid: string;
  readonly sealedCode: Buffer;
}

/** The columns of a link that its code is opened from. */
export interface SealedCodeRow {
  readonly id: string;
  readonly account_id: string;
  readonly asset_id: string;
  readonly kid: string;
  readonly sealed_code: Buffer;
}

/** The index value of a link code; undefined for a text that is not a link code. */
export function codeHashOf(code: string): Buffer | undefined {
  const bytes = parseLinkCode(code);
  return bytes && lookupHash('link', bytes);
}

/**
 * Seals the codes and texts of links, so that a database dump reveals neither codes nor identities. A code is looked up
 * by its hash and opened only to show it to its owner. A text sealed for one link opens for no other.
 *
 * Call it outside of transactions: a data key that is not cached is read from the database and unwrapped by key
 * management. Every method throws `KmsUnavailable` when that fails.
 */
@Injectable()
export class LinkSealer {
  constructor(private readonly keys: DataKeys) {}

  mintCode(owner: LinkOwner): Promise<MintedLink> {
    return this.sealCode(owner, mintLinkCode(shardOf(owner.accountId)));
  }

  /** @throws Error for a text that is not a link code */
  async sealCode({ accountId, assetId }: LinkOwner, code: string): Promise<MintedLink> {
    const bytes = parseLinkCode(code);
    if (!bytes) throw new Error('not a link code');
    return this.keys.current(LINKS_PURPOSE, monthly, (key, kid) => ({
      code,
      codeHash: lookupHash('link', bytes),
      kid,
      sealedCode: sealContent(key, LINKS_LABEL, [accountId, assetId], bytes),
    }));
  }

  async openCode(row: SealedCodeRow): Promise<string> {
    return (await this.openCodes([row])).get(row.id) as string;
  }

  /** Codes by the link's id. */
  async openCodes(rows: readonly SealedCodeRow[]): Promise<ReadonlyMap<string, string>> {
    const codes = await this.#openEach(rows, openCode);
    return new Map(rows.map(({ id }, index) => [id, codes[index] as string]));
  }

  /** In the order of the texts. */
  async sealTexts(linkId: string, texts: readonly string[]): Promise<SealedLinkText[]> {
    if (texts.length === 0) return [];
    return this.keys.current(LINKS_PURPOSE, monthly, (key, kid) =>
      texts.map((text) => ({
        linkId,
        kid,
        sealed: sealContent(key, LINKS_LABEL, [linkId], Buffer.from(text)),
      })),
    );
  }

  /** In the order of the values. */
  openTexts(values: readonly SealedLinkText[]): Promise<string[]> {
    return this.#openEach(values, openText);
  }

  /** Reads each data key once, however many values it seals. */
  async #openEach<Value extends { readonly kid: string }>(
    values: readonly Value[],
    open: (key: Buffer, value: Value) => string,
  ): Promise<string[]> {
    const texts = new Map<Value, string>();
    for (const kid of new Set(values.map((value) => value.kid))) {
      const ofKey = values.filter((value) => value.kid === kid);
      await this.keys.byId(LINKS_PURPOSE, kid, (key) =>
        ofKey.forEach((value) => texts.set(value, open(key, value))),
      );
    }
    return values.map((value) => texts.get(value) as string);
  }
}

function openCode(key: Buffer, { account_id, asset_id, sealed_code }: SealedCodeRow): string {
  return openContent(key, LINKS_LABEL, [account_id, asset_id], sealed_code).toString('latin1');
}

function openText(key: Buffer, { linkId, sealed }: SealedLinkText): string {
  return openContent(key, LINKS_LABEL, [linkId], sealed).toString();
}
