import { randomUUID } from 'node:crypto';
import { actorOf, serviceContext, type AccountContext } from '@vaultsvc/contracts';
import {
  redeemInteraction,
  resolveGrants,
  sealSend,
  type GrantMinting,
  type GrantPolicy,
  type NewGrant,
  type ResolvedGrant,
} from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { deadlineIn } from '@vaultsvc/testing/harness';
import { sentCodes } from './sent-codes.js';
import type { Platform } from './platform.js';
import { visitsTo } from './visits.js';

/** A minted grant with the code of its link. */
export interface Grant extends NewGrant {
  readonly code: string;
}

/** For specs: grants, minted and read as notify does, and the verification of their recipients. */
export function grantsOf(platform: Pick<Platform, 'harness' | 'service' | 'sql'>, caller: AccountContext) {
  const { bus } = platform.harness;
  const account_id = caller.credential.accountId;
  const visits = visitsTo(platform.harness);
  const context = (seconds = 10) =>
    serviceContext({ requestId: caller.requestId, deadlineMs: deadlineIn(seconds) });
  const mint = (grants: NewGrant[], terms: Partial<GrantMinting> = {}, seconds?: number) =>
    bus.call(
      sealSend,
      { body: { account_id, ...actorOf(caller), ...TERMS, group_id: randomUUID(), grants, ...terms } },
      context(seconds),
    );
  const resolve = async (linkIds: string[], of = account_id): Promise<Map<string, ResolvedGrant>> => {
    const body = { account_id: of, link_ids: linkIds };
    const { grants } = await bus.call(resolveGrants, { body }, context());
    return new Map(grants.map((grant) => [grant.link_id, grant]));
  };
  return {
    visits,
    mint,
    resolve,
    statusOf: async ({ link_id }: NewGrant) => (await resolve([link_id])).get(link_id)?.status,
    /** Mints one grant for each identity, in one send. */
    minted: async (
      identities: readonly (string | null)[],
      policy: Partial<GrantPolicy> = {},
      terms: Partial<GrantMinting> = {},
    ): Promise<[Grant, ...Grant[]]> => {
      const grants = identities.map(grantFor);
      await mint(grants, { policy: { ...TERMS.policy, ...policy }, ...terms });
      const resolved = await resolve(grants.map(({ link_id }) => link_id));
      const codeOf = ({ link_id }: NewGrant) => resolved.get(link_id)?.link_url?.split('/').at(-1) as string;
      return grants.map((grant) => ({ ...grant, code: codeOf(grant) })) as [Grant, ...Grant[]];
    },
    redeem: (link_code: string, interaction_token: string) =>
      bus.call(redeemInteraction, { body: { link_code, interaction_token } }, context()),
    /** Verifies the identity of the grant by a code, and returns the token. */
    verify: async ({ code, identity, spark_id }: Grant): Promise<string> => {
      await visits.start(code, identity as string);
      const sent = (await sentCodes(platform, spark_id)).at(-1)?.code as string;
      return (await visits.confirm(code, identity as string, sent)).verification_token;
    },
  };
}

const policy: GrantPolicy = {
  verification_level: 'none',
  interaction: 'view',
  reveal_freshness_minutes: null,
};

const TERMS = {
  ttl_seconds: 900,
  content_type: 'text/plain',
  filename: null,
  content: Buffer.from('for you').toString('base64'),
  policy,
};

/** A grant to mint, with random ids. */
export function grantFor(identity: string | null): NewGrant {
  return { link_id: randomUUID(), spark_id: newId('spk_'), identity };
}
