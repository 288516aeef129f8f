import * as reporting from '@vaultsvc/contracts/reporting';
import { createSpark } from '@vaultsvc/contracts/sparks';
import { updateIngot } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { newSpark } from './link-samples.js';
import type { Tenant } from './tenant.js';
import { vaultWithIngots } from './vault-samples.js';

const limit = 10;

/** Events reach the audit log within a second. A list needs two entries, so that it has two pages. */
const hasTwo = ({ count }: { readonly count: number }) => count >= 2;

/** An account with two entries in its log. */
export const accountWithAudit = async ({ owner }: Tenant) => {
  const create = async () => succeeded(await owner.call(createSpark, { body: newSpark() }));
  await Promise.all([create(), create()]);
  const input = { query: { limit } };
  await eventually(async () => succeeded(await owner.call(reporting.listAccountAudit, input)), hasTwo);
  return input;
};

/** A vault with an ingot, and two entries in the logs of both. */
export const ingotWithAudit = async (tenant: Tenant) => {
  const { params, headers, readerHeaders } = await vaultWithIngots(tenant);
  const { owner } = tenant;
  succeeded(await owner.call(updateIngot, { params, body: { name: newId('renamed_') } }, headers));
  const input = { params, query: { limit } };
  await eventually(async () => succeeded(await owner.call(reporting.listIngotAudit, input, headers)), hasTwo);
  return { ...input, headers, readerHeaders };
};

export const newAppEvent = () => ({ app_slug: 'chatapp', event_type: 'sample_recorded' });

/** An integration with two entries in its log. */
export const appWithAudit = async ({ owner }: Tenant) => {
  const record = async () => succeeded(await owner.call(reporting.recordAppEvent, { body: newAppEvent() }));
  await record();
  await record();
  return { params: { app_slug: newAppEvent().app_slug }, query: { limit } };
};
