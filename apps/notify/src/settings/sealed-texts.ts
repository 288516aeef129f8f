import { Injectable } from '@nestjs/common';
import { openContent, sealContent } from '@vaultsvc/crypto/aead';
import { DataKeys, monthly } from '@vaultsvc/crypto/data-keys';

const PURPOSE = 'channels';
const LABEL = 'vk/v1/sealed/channels';

/** A text sealed under a data key of this service. */
export interface SealedText {
  readonly data_key_id: string;
  readonly sealed: Buffer;
}

/** Seals credentials of channels and receipts: a copy of the database does not reveal them. */
@Injectable()
export class SealedTexts {
  constructor(private readonly dataKeys: DataKeys) {}

  /** `ids`: what the text belongs to; other ids do not open it. Throws `KmsUnavailable`. */
  seal(ids: readonly string[], text: string): Promise<SealedText> {
    return this.dataKeys.current(PURPOSE, monthly, (key, dataKeyId) => ({
      data_key_id: dataKeyId,
      sealed: sealContent(key, LABEL, ids, Buffer.from(text)),
    }));
  }

  open(ids: readonly string[], { data_key_id: dataKeyId, sealed }: SealedText): Promise<string> {
    return this.dataKeys.byId(PURPOSE, dataKeyId, (key) => {
      const plain = openContent(key, LABEL, ids, sealed);
      const text = plain.toString('utf8');
      plain.fill(0);
      return text;
    });
  }
}
