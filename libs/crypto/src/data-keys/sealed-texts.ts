import { openContent, sealContent } from '../aead/index.js';
import type { Label } from '../labels.js';
import type { DataKeys } from './data-keys.js';
import { monthly } from './period.js';

/** A text sealed under a data key of a service. */
export interface SealedText {
  readonly data_key_id: string;
  readonly sealed: Buffer;
}

/** Seals texts, such as credentials of providers, for one purpose of a service: a copy of the database does not reveal them. */
export class SealedTexts {
  readonly #label: Label;

  /** @param purpose of the data keys; part of the label of every text */
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly purpose: string,
  ) {
    this.#label = `vk/v1/sealed/${purpose}`;
  }

  /** `ids`: what the text belongs to; other ids do not open it. Throws `KmsUnavailable`. */
  seal(ids: readonly string[], text: string): Promise<SealedText> {
    return this.dataKeys.current(this.purpose, monthly, (key, dataKeyId) => ({
      data_key_id: dataKeyId,
      sealed: sealContent(key, this.#label, ids, Buffer.from(text)),
    }));
  }

  /** Throws `Tampered` for other ids. */
  open(ids: readonly string[], { data_key_id: dataKeyId, sealed }: SealedText): Promise<string> {
    return this.dataKeys.byId(this.purpose, dataKeyId, (key) => {
      const plain = openContent(key, this.#label, ids, sealed);
      const text = plain.toString('utf8');
      plain.fill(0);
      return text;
    });
  }
}
