import { serviceContext } from '@vaultsvc/contracts';
import * as sparks from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { rowsOf } from '@vaultsvc/testing/harness';
import { api, succeeded } from '@vaultsvc/testing/http';
import type { Tenant } from './tenant.js';

/** Everybody may open the link. */
export const openToAll = () => ({ visibility: 'public' as const, invites: [] });

/** Whoever proves an identity may. */
const openToKnown = () => ({ visibility: 'authenticated' as const, invites: [] });

/** A Spark of text, for whoever needs one. */
export const newSpark = () => ({
  payload: 'a secret',
  content_type: 'text/plain',
  ttl_minutes: 5,
  filename: null,
  with_kindling: false,
});

/** A Spark that is shared on these terms, and its link. */
async function shared({ owner }: Tenant, body: ReturnType<typeof openToAll | typeof openToKnown>) {
  const { spark_id } = succeeded(await owner.call(sparks.createSpark, { body: newSpark() }));
  const { link_code } = succeeded(await owner.call(sparks.shareSpark, { params: { spark_id }, body }));
  return { spark_id, link_code };
}

export const sharedSpark = async (tenant: Tenant) => {
  const { spark_id } = await shared(tenant, openToAll());
  return { spark_id };
};

/** A link that anybody may open. */
export const openLinkCode = async (tenant: Tenant) => {
  const { link_code } = await shared(tenant, openToAll());
  return { link_code };
};

/** A link that is opened by whoever proves an identity. */
export const guardedLinkCode = async (tenant: Tenant) => {
  const { link_code } = await shared(tenant, openToKnown());
  return { link_code };
};

export const newIdentity = () => `${newId('mail_').toLowerCase()}@example.test`;

/** A one-time code on its way to an identity, read as whoever sends it reads it. */
export async function sentCode(tenant: Tenant) {
  const { spark_id, link_code } = await shared(tenant, openToKnown());
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
