import { randomUUID } from 'node:crypto';
import * as sparks from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { internalContext, rowsOf } from '@vaultsvc/testing/harness';
import { api, succeeded } from '@vaultsvc/testing/http';
import { SoftwareAuthenticator } from '@vaultsvc/tools-testing/software-authenticator';
import type { Tenant } from './tenant.js';

/** Any visitor may open the link. */
export const publicSharing = () => ({ visibility: 'public' as const, invites: [] });

/** A visitor may open the link after a verification. */
const authenticatedSharing = () => ({ visibility: 'authenticated' as const, invites: [] });

/** The body of a Spark of text. */
export const newSpark = () => ({
  payload: 'a secret',
  content_type: 'text/plain',
  ttl_minutes: 60, // They are compared before and after all operations.
  filename: null,
  with_kindling: false,
});

/** Creates a Spark with a link of this visibility. */
async function createLink({ owner }: Tenant, body: Pick<sparks.SparkSharing, 'visibility' | 'invites'>) {
  const { spark_id } = succeeded(await owner.call(sparks.createSpark, { body: newSpark() }));
  const { link_code } = succeeded(await owner.call(sparks.shareSpark, { params: { spark_id }, body }));
  return { spark_id, link_code };
}

export const sharedSpark = async (tenant: Tenant) => {
  const { spark_id } = await createLink(tenant, publicSharing());
  return { spark_id };
};

/** A Spark whose link only an invited identity may open. */
export const sharedWithOne = async (tenant: Tenant) => {
  const body = { visibility: 'invite_only' as const, invites: [newIdentity()] };
  const { spark_id } = await createLink(tenant, body);
  return { spark_id };
};

/** A link that any visitor may open. */
export const publicLinkCode = async (tenant: Tenant) => {
  const { link_code } = await createLink(tenant, publicSharing());
  return { link_code };
};

/** A link that requires a verification. */
export const authenticatedLinkCode = async (tenant: Tenant) => {
  const { link_code } = await createLink(tenant, authenticatedSharing());
  return { link_code };
};

export const newIdentity = () => `${newId('mail_').toLowerCase()}@example.test`;

/** Starts a verification and reads its one-time code as the notify service does. */
export async function verificationCode(tenant: Tenant) {
  const { spark_id, link_code } = await createLink(tenant, authenticatedSharing());
  const identity = newIdentity();
  const start = { params: { link_code }, body: { identity } };
  succeeded(await api(tenant.platform.linkUrl).call(sparks.startVerification, start));
  return { params: { link_code }, body: { identity, code: await codeOf(tenant, spark_id) } };
}

/** The link of a notification that a passkey opens. */
export async function passkeyLinkCode({ platform, accountId: account_id }: Tenant) {
  const [link_id, spark_id] = [randomUUID(), newId('spk_')];
  const policy = {
    verification_level: 'passkey',
    interaction: 'view',
    reveal_freshness_minutes: null,
  } as const;
  const content = { content: 'AAAA', content_type: 'text/plain', filename: null, ttl_seconds: 300 };
  const actor = { account_id, actor_type: 'api_key', actor_id: 'key_of_sample' } as const;
  const grants = [{ link_id, spark_id, identity: newIdentity() }];
  const { bus } = platform.harness;
  const context = internalContext();
  const body = { ...actor, ...content, group_id: randomUUID(), policy, grants };
  await bus.call(sparks.sealSend, { body }, context);
  const ids = { account_id, link_ids: [link_id] };
  const resolved = await bus.call(sparks.resolveGrants, { body: ids }, context);
  const link_code = resolved.grants[0]?.link_url?.split('/').at(-1) as string;
  return { link_code, spark_id, identity: grants[0]?.identity as string };
}

/** Starts the enrollment of a passkey after a code, and answers it as a browser does. */
export async function passkeyAnswer(tenant: Tenant) {
  const { link_code, spark_id, identity } = await passkeyLinkCode(tenant);
  const visitor = api(tenant.platform.linkUrl);
  const params = { link_code };
  succeeded(await visitor.call(sparks.startVerification, { params, body: { identity } }));
  const answer = { identity, code: await codeOf(tenant, spark_id) };
  const { verification_token } = succeeded(
    await visitor.call(sparks.confirmVerification, { params, body: answer }),
  );
  const body = { verification_token };
  const enrollment = succeeded(await visitor.call(sparks.startPasskey, { params, body }));
  const { origin } = new URL(tenant.platform.linkUrl);
  return { params, body: { response: new SoftwareAuthenticator(origin).create(enrollment) } };
}

async function codeOf({ platform }: Tenant, sparkId: string): Promise<string> {
  const [row] = await rowsOf<{ id: string }>(platform.sparks, FIND_CODE, [sparkId]);
  const reference = { body: { message_id: row?.id as string } };
  const context = internalContext();
  return (await platform.harness.bus.call(sparks.describeMessage, reference, context)).code as string;
}

const FIND_CODE = `
  SELECT m.id FROM link_messages m JOIN sparklinks l ON l.id = m.link_id WHERE l.asset_id = $1 AND m.kind = 'code'`;
