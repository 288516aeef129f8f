import type { PublicOperation } from '@vaultsvc/contracts';
import { signatureOf } from './provider-signatures.js';
import { pythonSample } from './python-sample.js';
import { sampleRequestOf } from './sample-request.js';
import { shellSample } from './shell-sample.js';
import { typeScriptSample } from './typescript-sample.js';

/** A sample of an operation in one language, as `x-codeSamples` of the OpenAPI document has it. */
export interface CodeSample {
  readonly lang: 'Shell' | 'TypeScript' | 'Python';
  readonly label: string;
  readonly source: string;
}

/** Why an operation has no samples; undefined for those that have some. */
export function noSamplesReason({ http, name }: PublicOperation): string | undefined {
  if (http.path.startsWith('/v1/apps/{app_id}/panel/'))
    return 'The page of a panel makes the call, with a ticket that opens once.';
  return name === 'vaults.upload-through-source'
    ? 'Every call is refused: there is no source yet.'
    : undefined;
}

/**
 * The samples of an operation. They read VAULTSVC_URL and VAULTSVC_API_KEY, which the start of the local stack prints, and where
 * they are needed VAULTSVC_VAT (a Vault Access Token), VAULTSVC_TOKEN (the access token of a session), VAULTSVC_LINKS (the origin
 * of links) and the secret of a provider.
 */
export function codeSamplesOf(op: PublicOperation): readonly CodeSample[] {
  if (noSamplesReason(op) !== undefined) return [];
  const [request, signature] = [sampleRequestOf(op), signatureOf(op)];
  return [
    { lang: 'Shell', label: 'curl', source: shellSample(request, signature) },
    { lang: 'TypeScript', label: 'TypeScript', source: typeScriptSample(request, signature) },
    { lang: 'Python', label: 'Python', source: pythonSample(request, signature) },
  ];
}
