import { exampleOf, type CallerAccess, type Class, type PublicOperation } from '@vaultsvc/contracts';
import { isLinkOperation } from '../operations/operation-documentation.js';
import { webhookBodyOf } from './webhook-bodies.js';

/** A header whose value is an environment variable, such as a key. */
export interface SecretHeader {
  readonly name: string;
  readonly prefix: string;
  readonly variable: string;
}

/** The output of a sample: the response, its status where it has no body, or its lines. */
export type SampleOutput = 'json' | 'status' | 'lines';

/** The example of a call, as the samples of all languages send it. */
export interface SampleRequest {
  readonly op: PublicOperation;
  /** The environment variable with the origin. */
  readonly origin: 'VAULTSVC_URL' | 'VAULTSVC_LINKS';
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Path and query. */
  readonly target: string;
  readonly secrets: readonly SecretHeader[];
  /** An object that is sent as JSON; text is sent as it is; undefined without a body. */
  readonly body: unknown;
  readonly output: SampleOutput;
}

/** The example of a call of an operation. */
export function sampleRequestOf(op: PublicOperation): SampleRequest {
  const params = fieldsOf(op.params);
  const query = fieldsOf(op.query);
  return {
    op,
    origin: isLinkOperation(op) ? 'VAULTSVC_LINKS' : 'VAULTSVC_URL',
    params,
    query,
    target: targetOf(op.http.path, params, query),
    secrets: secretsOf(op),
    body: bodyOf(op),
    output: outputOf(op),
  };
}

const fieldsOf = (type: Class | undefined) => (type ? exampleOf(type) : {});

function targetOf(path: string, params: object, query: object): string {
  const filled = Object.entries(params).reduce<string>(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return search.length === 0 ? filled : `${filled}?${search.join('&')}`;
}

const key: SecretHeader = { name: 'X-API-Key', prefix: '', variable: 'VAULTSVC_API_KEY' };
const session: SecretHeader = { name: 'Authorization', prefix: 'Bearer ', variable: 'VAULTSVC_TOKEN' };
const vault: SecretHeader = { name: 'X-Vault-Access-Token', prefix: '', variable: 'VAULTSVC_VAT' };

const byCredential: { readonly [C in CallerAccess['credential']]?: readonly SecretHeader[] } = {
  key: [key],
  any: [key],
  session: [session],
  'identity-only': [session],
};

/** An API key where one is accepted, otherwise the access token of a session. */
function secretsOf({ access: { credential, vat, vatOf } }: PublicOperation): readonly SecretHeader[] {
  const callers = (credential && byCredential[credential]) ?? [];
  return vat && vatOf === undefined ? [...callers, vault] : callers;
}

/** An empty body stands for `{}`, so it is left out, but for providers, which sign it. */
function bodyOf(op: PublicOperation): unknown {
  if (!op.body) return webhookBodyOf(op) ?? (op.access.provider ? {} : undefined);
  const example = exampleOf(op.body);
  return Object.keys(example).length === 0 ? undefined : example;
}

function outputOf(op: PublicOperation): SampleOutput {
  if (op.parts) return 'lines';
  const isEmpty = op.http.status === 204 || (op.bare === true && typeof webhookBodyOf(op) === 'string');
  return isEmpty ? 'status' : 'json';
}
