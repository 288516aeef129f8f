import { randomBytes } from 'node:crypto';
import type { Faults } from '../kms/faults.ts';
import type { Caller, Callers } from './callers.ts';
import type { TransitKeys } from './transit-keys.ts';
import { permissionDenied, VaultError } from './vault-error.ts';

const RANDOM_BYTES_MAX = 128 * 1_024;

export type Body = Readonly<Record<string, unknown>>;

export interface Context {
  keys: TransitKeys;
  callers: Callers;
  faults: Faults;
  token: unknown;
}

/** `auth` of a login, otherwise `data`. */
export type Answer = { auth: object } | { data: object };

type Operation = (body: Body, context: Context, ...parts: string[]) => Answer;

/** The paths below `/v1/`, with the parts in parentheses. */
const operations: [RegExp, Operation][] = [
  [
    /^auth\/approle\/login$/,
    ({ role_id, secret_id }, { callers }) => ({ auth: callers.logIn(role_id, secret_id) }),
  ],
  [/^auth\/kubernetes\/login$/, ({ role, jwt }, { callers }) => ({ auth: callers.logIn(role, jwt) })],
  [/^transit\/datakey\/(plaintext|wrapped)\/([\w-]+)$/, dataKey],
  [/^transit\/encrypt\/([\w-]+)$/, encrypt],
  [/^transit\/decrypt\/([\w-]+)$/, decrypt],
  [/^transit\/rewrap\/([\w-]+)$/, rewrap],
  [/^transit\/random(?:\/(platform|seal|all))?(?:\/(\d+))?$/, random],
];

/** @throws VaultError */
export function operate(path: string, body: Body, context: Context): Answer {
  for (const [pattern, operation] of operations) {
    const match = pattern.exec(path);
    if (match) return operation(body, context, ...match.slice(1));
  }
  throw new VaultError(404, 'no handler for route');
}

function dataKey(body: Body, context: Context, kind: string, name: string): Answer {
  assertGranted(context, name);
  const { bits = 256 } = body;
  if (bits !== 128 && bits !== 256 && bits !== 512) throw new VaultError(400, 'invalid bit length');
  const plaintext = randomBytes(bits / 8);
  const wrapped = context.keys.encrypt(name, plaintext, contextIn(body));
  return { data: { ...wrapped, ...(kind === 'plaintext' && { plaintext: plaintext.toString('base64') }) } };
}

function encrypt(body: Body, context: Context, name: string): Answer {
  assertGranted(context, name);
  return { data: context.keys.encrypt(name, base64In(body, 'plaintext'), contextIn(body)) };
}

function decrypt(body: Body, context: Context, name: string): Answer {
  assertGranted(context, name);
  const plaintext = context.keys.decrypt(name, body['ciphertext'], contextIn(body));
  return { data: { plaintext: plaintext.toString('base64') } };
}

function rewrap(body: Body, context: Context, name: string): Answer {
  assertGranted(context, name);
  const plaintext = context.keys.decrypt(name, body['ciphertext'], contextIn(body));
  return { data: context.keys.encrypt(name, plaintext, contextIn(body)) };
}

function random(
  { bytes, format = 'base64' }: Body,
  context: Context,
  _source: string,
  path?: string,
): Answer {
  if (!callerOf(context).random) throw permissionDenied();
  const count = Number(path ?? bytes ?? 32);
  if (!Number.isInteger(count) || count < 1 || count > RANDOM_BYTES_MAX)
    throw new VaultError(400, `"bytes" should be between 1 and ${RANDOM_BYTES_MAX}`);
  if (format !== 'base64' && format !== 'hex') throw new VaultError(400, `unsupported encoding format`);
  const drawn = context.faults.zeros ? Buffer.alloc(count) : randomBytes(count);
  return { data: { random_bytes: drawn.toString(format) } };
}

function callerOf({ callers, token }: Context): Caller {
  return callers.of(token);
}

/** Grants name keys as AWS does, by aliases. */
function assertGranted(context: Context, name: string) {
  const { keys } = callerOf(context);
  if (!keys.includes('*') && !keys.includes(`alias/${name}`)) throw permissionDenied();
}

function contextIn(body: Body): Buffer {
  return body['context'] === undefined ? Buffer.alloc(0) : base64In(body, 'context');
}

function base64In(body: Body, name: string): Buffer {
  const text = body[name];
  const bytes = typeof text === 'string' ? Buffer.from(text, 'base64') : undefined;
  if (!bytes || bytes.toString('base64') !== text)
    throw new VaultError(400, `failed to base64-decode ${name}`);
  return bytes;
}
