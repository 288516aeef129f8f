import { json, literal } from './literals.js';
import type { ProviderSignature } from './provider-signatures.js';
import type { SampleRequest } from './sample-request.js';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const bodyText = (body: unknown) => (typeof body === 'string' ? body : literal(body, json, 4));

/** The call as a command of bash. */
export function shellSample(request: SampleRequest, signature: ProviderSignature | undefined): string {
  const { origin, target, secrets, body } = request;
  if (signature) return signedSample(request, signature);
  return command([
    `"$${origin}${target}"`,
    ...methodOf(request),
    ...secrets.map(({ name, prefix, variable }) => `-H "${name}: ${prefix}$${variable}"`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(bodyText(body))}`]),
    ...outputOf(request),
  ]);
}

function signedSample(request: SampleRequest, { query, shell }: ProviderSignature): string {
  const { origin, target, body } = request;
  const call = command([
    '"$url"',
    ...Object.entries(shell.headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(typeof body === 'string' ? [] : [`-H 'Content-Type: application/json'`]),
    '-d "$body"',
    ...outputOf(request),
  ]);
  const variables = [`url="$${origin}${target}${query}"`, `body=${quoted(bodyText(body))}`];
  return [...variables, ...shell.statements, '', call].join('\n');
}

const command = (parts: readonly string[]) => `curl -s ${parts.join(' \\\n  ')}`;

/** curl sends GET, and POST with a body. */
function methodOf({ op, body }: SampleRequest): string[] {
  const usual = body === undefined ? 'GET' : 'POST';
  return op.http.method === usual ? [] : [`-X ${op.http.method}`];
}

const outputOf = ({ output }: SampleRequest) => (output === 'status' ? [`-w '%{http_code}\\n'`] : []);
