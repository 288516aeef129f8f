import { EpochSeconds, Flag, ListOf, Nested, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** As people write it, a trailing dot included; the handler normalizes and refuses (DOM-05, DOM-08). */
const hostname = { min: 1, max: 254 } as const;

/** A claimed domain (DOM-02). Only verified domains are stored, so both times are one (DOM-03). */
export class Domain {
  @Text({ max: 253 }) domain: string;
  @OneOf(['dns_txt']) verification_method: 'dns_txt';
  @Text({ max: 300, description: '`_vaultsvc.` and the domain.' }) txt_name: string;
  @Text({ max: 300, description: '`vaultsvc-domain-verification=` and the token.' }) txt_value: string;
  @EpochSeconds() created_at: number;
  @EpochSeconds() verified_at: number;
}

export class DomainName {
  @Text({ ...hostname, description: 'For example example.com.' }) domain: string;
}

export class DomainParams {
  @Text(hostname) domain: string;
}

export class DomainList {
  @ListOf(() => Domain) domains: Domain[];
}

export class DomainChallenge {
  @Text({ max: 253, description: 'Normalized.' }) domain: string;
  @Text({ max: 300 }) txt_name: string;
  @Text({ max: 300 }) txt_value: string;
}

export class ClaimedDomain {
  @Nested(() => Domain) domain: Domain;
  @Text({ max: 300 }) message: string;
}

export class ReleasedDomain {
  @Flag({ description: 'Always true.' }) deleted: boolean;
  @Text({ max: 253 }) domain: string;
}

export const listDomains = operation({
  name: 'auth.list-domains',
  summary: 'The mail domains that the account has claimed, 10 at most.',
  http: { method: 'GET', path: '/v1/domains', status: 200 },
  access: { credential: 'key' },
  reply: DomainList,
  repeatable: true,
});

export const challengeDomain = operation({
  name: 'auth.challenge-domain',
  summary: 'Says which DNS TXT record proves control of a domain. Stores nothing.',
  http: { method: 'POST', path: '/v1/domains/challenge', status: 200 },
  access: { credential: 'session', role: 'admin' },
  body: DomainName,
  reply: DomainChallenge,
  errors: ['DOMAIN_OWNED'],
});

export const claimDomain = operation({
  name: 'auth.claim-domain',
  summary: 'Looks for the TXT record and claims the domain: nobody else can sign up with its addresses.',
  http: { method: 'POST', path: '/v1/domains', status: 201 },
  access: { credential: 'session', role: 'admin' },
  body: DomainName,
  reply: ClaimedDomain,
  errors: ['DOMAIN_OWNED'],
});

export const releaseDomain = operation({
  name: 'auth.release-domain',
  summary: 'Gives up the claim of a domain; others may claim it.',
  http: { method: 'DELETE', path: '/v1/domains/{domain}', status: 200 },
  access: { credential: 'session', role: 'admin' },
  params: DomainParams,
  unknown: 'DOMAIN_NOT_FOUND',
  reply: ReleasedDomain,
  errors: ['DOMAIN_NOT_FOUND'],
});
