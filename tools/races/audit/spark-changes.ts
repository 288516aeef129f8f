import * as sparks from '@vaultsvc/contracts/sparks';
import { api } from '@vaultsvc/testing/http';
import type { Change } from './change.js';
import type { ChangingAccount } from './changing-account.js';

/** Changes of Sparks and their links, and random data. */
export const sparkChanges: readonly Change[] = [
  { weight: 12, make: createSpark },
  { weight: 4, make: readSpark },
  { weight: 2, make: deleteSpark },
  { weight: 2, make: expireSpark },
  { weight: 4, make: shareSpark },
  { weight: 2, make: openLink },
  { weight: 1, make: deleteLink },
  { weight: 3, make: generateEntropy },
];

async function createSpark(account: ChangingAccount): Promise<void> {
  const body = {
    payload: 'x'.repeat(1 + Math.floor(account.around.random() * 2_000)),
    content_type: 'text/plain',
    ttl_minutes: 60,
    filename: null,
    with_kindling: false,
  };
  const created = await account.change(sparks.sparkCreated, sparks.createSpark, { body });
  if (created?.data) account.sparks.add(created.data.spark_id);
}

async function readSpark(account: ChangingAccount): Promise<void> {
  const spark_id = account.sparks.take();
  if (spark_id) await account.change(sparks.sparkRead, sparks.readSpark, { params: { spark_id } });
}

async function deleteSpark(account: ChangingAccount): Promise<void> {
  const spark_id = account.sparks.take();
  if (spark_id) await account.change(sparks.sparkDeleted, sparks.deleteSpark, { params: { spark_id } });
}

async function expireSpark(account: ChangingAccount): Promise<void> {
  const spark_id = account.sparks.take();
  if (spark_id) await account.around.expire(spark_id);
}

async function shareSpark(account: ChangingAccount): Promise<void> {
  const spark_id = account.sparks.take();
  if (!spark_id) return;
  const body = { visibility: 'public' as const, invites: [] };
  const input = { params: { spark_id }, body };
  const shared = await account.change(sparks.sparklinkCreated, sparks.shareSpark, input);
  if (shared?.data?.link_code) account.links.add({ sparkId: spark_id, code: shared.data.link_code });
}

/** A visitor burns the Spark. */
async function openLink(account: ChangingAccount): Promise<void> {
  const link = account.links.take();
  if (!link) return;
  const input = { params: { link_code: link.code }, body: { describe: false, confirmed: true } };
  const visitor = api(account.around.origins.link_url);
  await account.changeAs(visitor, sparks.sparklinkAccessed, sparks.openLink, input);
}

async function deleteLink(account: ChangingAccount): Promise<void> {
  const link = account.links.take();
  if (!link) return;
  const params = { link_code: link.code };
  const deleted = await account.change(sparks.sparklinkDeleted, sparks.deleteLink, { params });
  if (deleted) account.sparks.add(link.sparkId);
}

async function generateEntropy(account: ChangingAccount): Promise<void> {
  const body = { format: 'hex', num_bytes: 16, with_commitment: false } as const;
  await account.change(sparks.entropyGenerated, sparks.generateEntropy, { body });
}
