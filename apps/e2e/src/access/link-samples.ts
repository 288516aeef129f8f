import { serviceContext } from '@vaultsvc/contracts';
import * as sparks from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { rowsOf } from '@vaultsvc/testing/harness';
import { api, succeeded } from '@vaultsvc/testing/http';
import type { Tenant } from './tenant.js';

/** Any visitor may open the link. */
export const publicSharing = () => ({ visibility: 'public' as const, invites: [] });

/** A visitor may open the link after a verification. */
const authenticatedSharing = () => ({ visibility: 'authenticated' as const, invites: [] });

/** The body of a Spark of text. */
export const newSpark = () => ({
  payload: 'a secret',
  content_type: 'text/plain',
  ttl_minutes: 5,
  filename: null,
  with_kindling: false,
});

/** Creates a Spark with a link of this visibility. */
async function createLink(
  { owner }: Tenant,
  body: ReturnType<typeof publicSharing | typeof authenticatedSharing>,
) {
  const { spark_id } = succeeded(await owner.call(sparks.createSpark, { body: newSpark() }));
  const { link_code } = succeeded(await owner.call(sparks.shareSpark, { params: { spark_id }, body }));
  return { spark_id, link_code };
}

export const sharedSpark = async (tenant: Tenant) => {
  const { spark_id } = await createLink(tenant, publicSharing());
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

async function codeOf({ platform }: Tenant, sparkId: string): Promise<string> {
  const [row] = await rowsOf<{ id: string }>(platform.sparks, FIND_CODE, [sparkId]);
  const reference = { body: { message_id: row?.id as string } };
  const context = serviceContext(newId('req_'));
  return (await platform.harness.bus.call(sparks.describeMessage, reference, context)).code as string;
}

const FIND_CODE = `
  SELECT m.id FROM link_messages m JOIN sparklinks l ON l.id = m.link_id WHERE l.asset_id = $1 AND m.kind = 'code'`;
