import { readDeployment } from '../api/deployment.js';
import { parseLink } from '../api/link-visitor.js';
import type { CliContext } from '../cli-context.js';
import { exitCodes } from '../exit-codes.js';
import { CliError, UsageError } from '../failures.js';
import type { LinkAddress } from '../transfers/link-note.js';

/** A code as the lists of links show it. */
const CODE = /^[0-9A-Za-z]{22}(?:[0-9A-Za-z]{2})?$/;

/**
 * The link of a code alone: that of the server of the last login, or of VAULTSVC_URL. Its origin of links leads to durable shares,
 * too (OPEN-22). Undefined for a text that is no code.
 * @throws UsageError that asks for the whole link, if no server is known or it does not name its origins
 */
export async function linkOfCode({ api }: CliContext, text: string): Promise<LinkAddress | undefined> {
  if (!CODE.test(text)) return undefined;
  const deployment = await readDeployment(api.anonymous(urlOf(api)));
  const link = deployment && parseLink(`${deployment.origins.links}/${text}`);
  if (!link) throw new UsageError('This server does not name the origin of its links. Give the whole link.');
  return link;
}

function urlOf(api: CliContext['api']): string {
  try {
    return api.url;
  } catch (error) {
    const isUnknown = error instanceof CliError && error.exitCode === exitCodes.denied;
    if (!isUnknown) throw error;
    throw new UsageError(
      'The code of a link names no server. Give the whole link, or log in: vaultsvc login',
    );
  }
}
