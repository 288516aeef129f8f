import { Inject, Injectable } from '@nestjs/common';
import { openContent, sealContent } from '@vaultsvc/crypto/aead';
import { DataKeys, monthly } from '@vaultsvc/crypto/data-keys';
import { lookupHash, mintLinkCode, parseLinkCode } from '@vaultsvc/crypto/tokens';

const PURPOSE = 'links';
const LABEL = 'vk/v1/sealed/links';

/** What a link belongs to: the sealed code opens for no other. */
export interface LinkOwner {
  readonly accountId: string;
  readonly assetId: string;
}

/** A new code with what is stored of it. */
export interface MintedLink {
  readonly code: string;
  readonly codeHash: Buffer;
  readonly kid: string;
  readonly sealedCode: Buffer;
}

export interface SealedLink extends LinkOwner {
  readonly kid: string;
  readonly sealedCode: Buffer;
}

/** SparkLink codes: found by their hash, kept sealed so that the owner can be shown them again. */
@Injectable()
export class LinkCodes {
  constructor(@Inject(DataKeys) private readonly keys: DataKeys) {}

  async mint({ accountId, assetId }: LinkOwner): Promise<MintedLink> {
    const code = mintLinkCode();
    const bytes = parseLinkCode(code) as Buffer;
    const codeHash = lookupHash('link', bytes);
    return this.keys.current(PURPOSE, monthly, (key, kid) => ({
      code,
      codeHash,
      kid,
      sealedCode: sealContent(key, LABEL, [accountId, assetId], bytes),
    }));
  }

  /** Codes by asset. Each data key is borrowed once, however many links of its month there are. */
  async openAll(links: readonly SealedLink[]): Promise<ReadonlyMap<string, string>> {
    const codes = new Map<string, string>();
    for (const kid of new Set(links.map((link) => link.kid))) {
      const ofKey = links.filter((link) => link.kid === kid);
      await this.keys.byId(PURPOSE, kid, (key) =>
        ofKey.forEach((link) => codes.set(link.assetId, open(key, link))),
      );
    }
    return codes;
  }
}

function open(key: Buffer, { accountId, assetId, sealedCode }: SealedLink): string {
  return openContent(key, LABEL, [accountId, assetId], sealedCode).toString('latin1');
}
