import { api, type Credentials } from '@vaultsvc/testing/http';
import type { Platform } from '@vaultsvc/tools-testing/platform';
import { reasonOfError, type Answer } from './answer.js';
import type { Attempt } from './journal.js';

/** Sends one call over HTTP. The client checks envelope, headers and reply of every response. */
export async function callOverHttp(
  { url, linkUrl, filesUrl }: Platform,
  { op, parts, vat, domain }: Attempt,
  credentials: Credentials,
): Promise<Answer> {
  const headers: Record<string, string> = vat === undefined ? {} : { 'X-Vault-Access-Token': vat };
  const origin = domain === undefined ? url : { link: linkUrl, files: filesUrl }[domain];
  const client = api(origin, { ...credentials, headers });
  const { status, error, data } = await client.call(op, parts as never);
  if (error === undefined) return { status, reason: undefined, data, details: undefined };
  return { status, reason: reasonOfError(error), data: undefined, details: error.details };
}
