import { Actor, ExactActor } from '../core/actor.js';
import { event } from '../core/event.js';
import { Example } from '../core/example.js';
import { EpochSeconds, Flag, IdOf, ListOf, Name, Nested, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { ActorField } from './account.js';

/** A domain as typed, possibly with a trailing dot; the handler normalizes and validates it (DOM-05, DOM-08). */
const hostname = { min: 1, max: 254 } as const;

/** Path parameters of operations on one domain. */
export class DomainParams {
  @Text(hostname) domain: string;
}

/** A claimed domain (DOM-02). Only verified domains are stored, so both times are equal (DOM-03); later checks change neither. */
export class Domain {
  @Text({ max: 253 }) domain: string;
  @OneOf(['dns_txt']) verification_method: 'dns_txt';
  @Text({ max: 300, description: '`_vaultsvc.` followed by the domain.' }) txt_name: string;
  @Text({ max: 300, description: '`vaultsvc-domain-verification=` followed by the token.' })
  txt_value: string;
  @EpochSeconds() created_at: number;
  @EpochSeconds() verified_at: number;
}

/** Body of `challengeDomain` and `claimDomain`. */
export class DomainName {
  @Text({ ...hostname, description: 'For example, example.com.' }) domain: string;
}

/** The TXT record to publish. */
export class DomainChallenge {
  @Text({ max: 253, description: 'The normalized domain.' }) domain: string;
  @Text({ max: 300 }) txt_name: string;
  @Text({ max: 300 }) txt_value: string;
}

/** Returns the TXT record that proves control of a domain. */
export const challengeDomain = operation({
  name: 'auth.challenge-domain',
  summary: 'Returns the DNS TXT record that proves control of a domain. Stores nothing.',
  http: { method: 'POST', path: '/v1/domains/challenge', status: 200 },
  access: { credential: 'session', role: 'admin' },
  body: DomainName,
  reply: DomainChallenge,
  errors: ['DOMAIN_OWNED'],
});

/** A domain that was claimed. */
@Example({
  message:
    'The domain is verified. Nobody else can sign up with its e-mail addresses any more. Keep the record: it is verified again every week.',
})
export class ClaimedDomain {
  @Nested(() => Domain) domain: Domain;
  @Text({ max: 300 }) message: string;
}

/** Verifies the TXT record and claims the domain. */
export const claimDomain = operation({
  name: 'auth.claim-domain',
  summary:
    'Verifies the TXT record and claims the domain: other organizations cannot sign up or invite users with its addresses. The record is verified again every week; while it is missing the owners are warned, and after 30 days the claim lapses.',
  http: { method: 'POST', path: '/v1/domains', status: 201 },
  idempotent: {},
  access: { credential: 'session', role: 'admin' },
  body: DomainName,
  reply: ClaimedDomain,
  errors: ['DOMAIN_OWNED'],
});

/** The claimed domains of an account. */
export class DomainList {
  @ListOf(() => Domain) domains: Domain[];
}

/** Lists the claimed domains of the account. */
export const listDomains = operation({
  name: 'auth.list-domains',
  summary: 'Lists the e-mail domains that the account has claimed, at most 10.',
  http: { method: 'GET', path: '/v1/domains', status: 200 },
  access: { credential: 'key' },
  reply: DomainList,
  repeatable: true,
});

/** A domain that was released. */
export class ReleasedDomain {
  @Flag({ description: 'Always true.' }) deleted: boolean;
  @Text({ max: 253 }) domain: string;
}

/** Releases a claimed domain. */
export const releaseDomain = operation({
  name: 'auth.release-domain',
  summary: 'Releases a claimed domain; other accounts may then claim it.',
  http: { method: 'DELETE', path: '/v1/domains/{domain}', status: 200 },
  access: { credential: 'session', role: 'admin' },
  params: DomainParams,
  unknown: 'DOMAIN_NOT_FOUND',
  reply: ReleasedDomain,
  errors: ['DOMAIN_NOT_FOUND'],
});

/** Body of `describeDomainWarning`. */
export class UnprovenDomain {
  @Text({ max: 253 }) domain: string;
  @IdOf('usr') user_id: string;
}

/** Content of the warning to an owner that the record of a claim is missing. */
export class DomainWarning {
  @Text({ max: 254, description: 'The address of the owner.' }) email: string;
  @Name({ max: 255 }) organization_name: string;
  @Text({ max: 253 }) domain: string;
  @Text({ max: 300 }) txt_name: string;
  @Text({ max: 300 }) txt_value: string;
  @EpochSeconds({ description: 'When the claim lapses unless the record is found before.' })
  lapses_at: number;
}

/** Reads the content of a warning. DOMAIN_NOT_FOUND if the record was found, the claim has ended or the owner has left. */
export const describeDomainWarning = operation({
  name: 'auth.describe-domain-warning',
  summary: 'Reads recipient and content of the warning that the record of a claimed domain is missing.',
  access: 'internal',
  callers: ['notify'],
  body: UnprovenDomain,
  reply: DomainWarning,
  errors: ['DOMAIN_NOT_FOUND'],
  repeatable: true,
});

/** Payload of domain events. */
export class DomainChanged {
  @IdOf('acc') account_id: string;
  @Text({ max: 253 }) domain: string;
  @ActorField() actor_id: string;
}

export const domainClaimed = event({
  name: 'auth.domain-claimed',
  payload: DomainChanged,
  consumers: ['reporting'],
});
export const domainReleased = event({
  name: 'auth.domain-released',
  payload: DomainChanged,
  consumers: ['reporting'],
});

/** Payload of `domainLapsed`: a job causes it. */
export class DomainLapsed {
  @IdOf('acc') account_id: string;
  @Text({ max: 253 }) domain: string;
  @ExactActor() actor?: Actor;
}

/** Payload of `domainUnproven`: one event for each owner, who is warned. */
export class DomainUnproven extends DomainLapsed {
  @IdOf('usr') user_id: string;
}

/** A weekly check did not find the record of a claim. */
export const domainUnproven = event({
  name: 'auth.domain-unproven',
  payload: DomainUnproven,
  consumers: ['notify'],
});
/** The record of a claim was missing for 30 days. Users keep their accounts; the domain may be claimed by anyone. */
export const domainLapsed = event({
  name: 'auth.domain-lapsed',
  payload: DomainLapsed,
  consumers: ['reporting'],
});
