import { Injectable } from '@nestjs/common';
import { DataKeys, permanent } from '@vaultsvc/crypto/data-keys';
import { mac } from '@vaultsvc/crypto/mac';
import { TXT_LABEL } from './domain-name.js';

const PURPOSE = 'domain';

/** The record that proves control of a domain (DOM-02). */
export interface TxtRecord {
  readonly txt_name: string;
  readonly txt_value: string;
}

/**
 * The records that prove control. Their tokens are not stored but made: a MAC over account and domain, the same each
 * time, so that an administrator may take a week between the challenge and the claim (DOM-06, OPEN-46). A token is
 * public once it stands in DNS; it is worth nothing to any other account.
 */
@Injectable()
export class TxtRecords {
  constructor(private readonly dataKeys: DataKeys) {}

  /** The record by which this account proves a domain in normal form. Throws `KmsUnavailable`. */
  of(accountId: string, domain: string): Promise<TxtRecord> {
    return this.dataKeys.current(PURPOSE, permanent, (key) => {
      const token = mac(key, 'vk/v1/domain', accountId, domain).toString('base64url');
      return { txt_name: `${TXT_LABEL}.${domain}`, txt_value: `vaultsvc-domain-verification=${token}` };
    });
  }
}
