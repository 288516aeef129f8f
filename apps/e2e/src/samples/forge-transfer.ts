import { createIngot, downloadIngot } from '@vaultsvc/contracts/vaults';
import { succeeded } from '@vaultsvc/testing/http';
import { newTenant } from '../access/tenant.js';
import { newIngot, openVault } from '../access/vault-samples.js';
import type { Platform } from '@vaultsvc/tools-testing/platform';
import type { PrintedSamples } from './printed-samples.js';
import type { Outcome, SampleRunner } from './sample-runners.js';

/** The operations of Forge in the order in which a client makes them, as the OpenAPI document names them. */
export const forgeOperations = [
  'OPTIONS /encrypt',
  'POST /encrypt',
  'HEAD /{upload_id}',
  'PATCH /{upload_id}',
  'GET /decrypt',
  'GET /progress',
  'DELETE /{upload_id}',
  'GET /health',
] as const;
type ForgeOperation = (typeof forgeOperations)[number];

/** The samples of Forge in one language, run for a new vault: an upload, its download, and an upload that is cancelled. */
export async function runForgeSamples(
  platform: Platform,
  samples: PrintedSamples,
  lang: string,
  runner: SampleRunner,
): Promise<Record<ForgeOperation, Outcome>> {
  const { params, headers, owner } = await newVault(platform);
  const forge = { VAULTSVC_FORGE: platform.forgeUrl };
  const run = (operation: ForgeOperation, variables: Record<string, string> = {}) =>
    runner.run(samples.sourceAt(operation, lang), { ...forge, ...variables });
  const openUpload = async () =>
    succeeded(await owner.call(createIngot, { params, body: newIngot() }, headers));
  const createUpload = async (forgeUrl: string) => {
    const created = await run('POST /encrypt', { FORGE_URL: forgeUrl });
    return { created, url: { UPLOAD_URL: uploadUrlIn(created, platform.forgeUrl) } };
  };

  const ingot = await openUpload();
  const { created, url } = await createUpload(ingot.forge_url);
  const offset = await run('HEAD /{upload_id}', url);
  const sent = await run('PATCH /{upload_id}', url);
  const ofIngot = { params: { ...params, ingot_id: ingot.ingot_id }, body: { stream: false } };
  const { download_url } = succeeded(await owner.call(downloadIngot, ofIngot, headers));
  const downloaded = await run('GET /decrypt', { DOWNLOAD_URL: download_url });
  const ISTK = new URL(download_url).searchParams.get('istk') ?? '';
  const progress = await run('GET /progress', { ISTK });
  const cancelled = await createUpload((await openUpload()).forge_url);
  return {
    'OPTIONS /encrypt': await run('OPTIONS /encrypt'),
    'POST /encrypt': created,
    'HEAD /{upload_id}': offset,
    'PATCH /{upload_id}': sent,
    'GET /decrypt': downloaded,
    'GET /progress': progress,
    'DELETE /{upload_id}': await run('DELETE /{upload_id}', cancelled.url),
    'GET /health': await run('GET /health'),
  };
}

async function newVault(platform: Platform) {
  const tenant = await newTenant(platform);
  return { ...(await openVault(tenant)), owner: tenant.owner };
}

/** curl prints the headers of the answer, the other languages the URL. */
function uploadUrlIn({ printed }: Outcome, origin: string): string {
  const [, location = String(printed)] = /^location: (\S+)/im.exec(String(printed)) ?? [];
  return new URL(location, origin).href;
}
