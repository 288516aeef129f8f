import { Injectable } from '@nestjs/common';
import { openContent, sealContent } from '@vaultsvc/crypto/aead';
import { DataKeys, monthly } from '@vaultsvc/crypto/data-keys';

/** The data key that seals whatever names a link or a person; one for each month. */
export const LINKS_PURPOSE = 'links';
export const LINKS_LABEL = 'vk/v1/sealed/links';

/** A text that belongs to a link, as it is stored: who is invited, who was verified, what is to be sent. */
export interface SealedText {
  readonly linkId: string;
  readonly kid: string;
  readonly sealed: Buffer;
}

/**
 * Seals texts of links, so that a dump names nobody. What is sealed for one link opens for no other. Ask outside of
 * transactions: a key that is not at hand is read from the database, and unwrapped by key management.
 */
@Injectable()
export class LinkSeal {
  constructor(private readonly keys: DataKeys) {}

  /** In the order of the texts. Throws `KmsUnavailable`. */
  async seal(linkId: string, texts: readonly string[]): Promise<SealedText[]> {
    if (texts.length === 0) return [];
    return this.keys.current(LINKS_PURPOSE, monthly, (key, kid) =>
      texts.map((text) => ({
        linkId,
        kid,
        sealed: sealContent(key, LINKS_LABEL, [linkId], Buffer.from(text)),
      })),
    );
  }

  /** The texts, in order. Throws as `DataKeys.byId`. */
  open(values: readonly SealedText[]): Promise<string[]> {
    return openEach(this.keys, values, openText);
  }
}

/**
 * Opens values, each under the data key of its `kid`; what they hold, in order. Each data key is borrowed once, however
 * many values there are. Throws as `DataKeys.byId`.
 */
export async function openEach<Value extends { readonly kid: string }>(
  keys: DataKeys,
  values: readonly Value[],
  open: (key: Buffer, value: Value) => string,
): Promise<string[]> {
  const texts = new Map<Value, string>();
  for (const kid of new Set(values.map((value) => value.kid))) {
    const ofKey = values.filter((value) => value.kid === kid);
    await keys.byId(LINKS_PURPOSE, kid, (key) =>
      ofKey.forEach((value) => texts.set(value, open(key, value))),
    );
  }
  return values.map((value) => texts.get(value) as string);
}

function openText(key: Buffer, { linkId, sealed }: SealedText): string {
  return openContent(key, LINKS_LABEL, [linkId], sealed).toString();
}
