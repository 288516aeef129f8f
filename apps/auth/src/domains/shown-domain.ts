import type { Domain } from '@vaultsvc/contracts/auth';
import type { DomainRow } from './domain.repository.js';
import type { TxtRecord } from './txt-records.js';

/** A claim as the API returns it. It is created when it is verified, so both times are equal (DOM-03). */
export function shownDomain({ domain, verified_at }: DomainRow, { txt_name, txt_value }: TxtRecord): Domain {
  return {
    domain,
    verification_method: 'dns_txt',
    txt_name,
    txt_value,
    created_at: verified_at,
    verified_at,
  };
}
