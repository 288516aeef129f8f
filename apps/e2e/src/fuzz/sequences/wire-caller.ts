import { isDeepStrictEqual } from 'node:util';
import {
  AppError,
  decode,
  idPattern,
  project,
  unknownVaultReason,
  vaultOfCall,
  type CallContext,
  type Credential,
  type LinkDomain,
  type Operation,
  type PublicOperation,
  type VaultAccess,
} from '@vaultsvc/contracts';
import { openVaultSession } from '@vaultsvc/contracts/vaults';
import { accountContext } from '@vaultsvc/testing/harness';
import { Violation, type Answer, type CallParts } from './answer.js';
import type { Attempt } from './journal.js';

/** Calls an operation as the gateway does, with a signed context. */
export interface SignedCaller {
  call(op: Operation, parts: object, context: CallContext): Promise<unknown>;
}

const VAULT_ID = idPattern('vlt');

/**
 * Sends one call over NATS, past the gateway. Services trust the gateway's validation and its check of the access token, so
 * both are done here, by the same contracts; the checks of ids, accounts and states are the services' own.
 */
export async function callOverWire(
  caller: SignedCaller,
  { op, parts, vat, domain }: Attempt,
  credential: Credential,
): Promise<Answer> {
  const context = contextOf(op, credential, domain);
  try {
    const vault = await openedVault(caller, op, parts, vat, context);
    const input = {
      query: op.query && decode(op.query, parts.query ?? {}),
      body: op.body && decode(op.body, parts.body ?? {}),
      params: op.params && decodeParams(op, parts.params),
    };
    const data = await caller.call(op, input, { ...context, ...(vault && { vault }) });
    assertReply(op, data);
    return { status: op.http.status, reason: undefined, data, details: undefined };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { status, reason, details } = error;
    return { status, reason, details: details && JSON.parse(JSON.stringify(details)), data: undefined };
  }
}

function contextOf(op: PublicOperation, credential: Credential, domain?: LinkDomain): CallContext {
  const common: CallContext = { ...accountContext(), credential };
  if (domain !== undefined) return { ...common, visit: { domain, userAgent: 'fuzz' } };
  if (op.access.provider) return { ...common, signedRequest: { target: '', headers: {} } };
  return op.session ? { ...common, client: { delivery: 'body', userAgent: 'fuzz' } } : common;
}

async function openedVault(
  caller: SignedCaller,
  op: PublicOperation,
  { params = {}, body: given }: CallParts,
  vat: string | undefined,
  context: CallContext,
): Promise<VaultAccess | undefined> {
  const { access } = op;
  const vault_id = vaultOfCall(op, params, given);
  if (vault_id === undefined) return undefined;
  if (vat === undefined) throw new AppError(access.vatMissing ?? 'AUTHENTICATION_ERROR');
  if (!VAULT_ID.test(vault_id)) throw new AppError(unknownVaultReason(op));
  const body = { vault_id, vat, level: access.vat };
  const session = (await caller.call(openVaultSession, { body }, context)) as {
    access_level: VaultAccess['accessLevel'];
  };
  return { token: vat, accessLevel: session.access_level };
}

function decodeParams(op: PublicOperation, params: object = {}): object {
  try {
    return decode(op.params as NonNullable<typeof op.params>, params);
  } catch {
    throw new AppError(op.unknown === 'no-content' ? 'NOT_FOUND' : (op.unknown ?? 'NOT_FOUND'));
  }
}

function assertReply({ name, reply }: PublicOperation, data: unknown): void {
  if (!reply) return;
  decode(reply, data);
  if (!isDeepStrictEqual(project(reply, data), data))
    throw new Violation(`${name} replies with undeclared fields`);
}
