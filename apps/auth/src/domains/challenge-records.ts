import { Injectable } from '@nestjs/common';
import { DataKeys, permanent } from '@vaultsvc/crypto/data-keys';
import { mac } from '@vaultsvc/crypto/mac';
import { TXT_LABEL } from '../names/domain-name.js';

const PURPOSE = 'domain';

/** The record that proves control of a domain (DOM-02). */
export interface TxtRecord {
  readonly txt_name: string;
  readonly txt_value: string;
}

/**
 * Computes the records that prove control. Their tokens are not stored: each is a MAC over account and domain, always the
 * same, so that a week may pass between challenge and claim (DOM-06, OPEN-46). A token is public once it is in DNS, and
 * useless to any other account.
 */
@Injectable()
export class ChallengeRecords {
  constructor(private readonly dataKeys: DataKeys) {}

  /**
   * The record with which this account proves a domain in normal form.
   * @throws KmsUnavailable
   */
  of(accountId: string, domain: string): Promise<TxtRecord> {
    return this.dataKeys.current(PURPOSE, permanent, (key) => {
      const token = mac(key, 'vk/v1/domain', accountId, domain).toString('base64url');
      return { txt_name: `${TXT_LABEL}.${domain}`, txt_value: `vaultsvc-domain-verification=${token}` };
    });
  }
}
