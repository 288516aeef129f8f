import {
  decode,
  type AccountContext,
  type CallInput,
  type Operation,
  type PublicSpec,
  type Reply,
} from '@vaultsvc/contracts';
import {
  createVault,
  openVaultSession,
  unsealVault,
  type CreatedVault,
  type UnsealedVault,
  type Unsealing,
  type VaultSession,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { deadlineIn, rowsOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { vaults } from '../service-definition.js';

/** The service on real servers, called as the gateway calls it. */
export interface Platform {
  readonly harness: Harness;
  readonly service: RunningService;
  /** Checks body and query as the gateway does and sets their defaults, then calls. */
  call<S extends PublicSpec>(op: Operation<S>, input: Given<S>, caller: AccountContext): Promise<Reply<S>>;
  /** A vault with a unique name. */
  newVault(caller: AccountContext): Promise<CreatedVault>;
  unseal(vaultId: string, body: Partial<Unsealing>, caller: AccountContext): Promise<UnsealedVault>;
  /** The check of the gateway before an operation that needs a token. */
  openSession(
    vaultId: string,
    vat: string,
    level: 'read' | 'write',
    caller: AccountContext,
  ): Promise<VaultSession>;
  /** Runs SQL in the service's schema and returns the rows. */
  sql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** The input of a caller; fields with a default are optional. */
export type Given<S extends PublicSpec> = { readonly [K in keyof CallInput<S>]: Partial<CallInput<S>[K]> };

/** Longer than in production, for busy machines; callers of the gateway have 10 s. */
const CALL_SECONDS = 30;

/** Starts the service on servers of its own, or on those of a running harness. */
export async function startPlatform(
  settings: Record<string, string> = {},
  given?: Harness,
): Promise<Platform> {
  const harness = given ?? (await startHarness());
  const service = await harness.start(vaults, settings);
  const call: Platform['call'] = async (op, input, caller) =>
    harness.bus.call(op, checked(op, input), inTime(caller));
  return {
    harness,
    service,
    call,
    newVault: (caller) => call(createVault, { body: { name: newId('vault_') } }, caller),
    unseal: (vault_id, body, caller) => call(unsealVault, { params: { vault_id }, body }, caller),
    openSession: (vault_id, vat, level, caller) =>
      harness.bus.call(openVaultSession, { body: { vault_id, vat, level } }, inTime(caller)),
    sql: (text, values) => rowsOf(service, text, values),
  };
}

/** The platform for the tests of a spec file: see `useFixture`. */
export function usePlatform(settings?: Record<string, string>): Platform {
  return useFixture(
    () => startPlatform(settings),
    (platform) => platform.harness.stop(),
  );
}

function checked<S extends PublicSpec>(op: Operation<S>, input: Given<S>): CallInput<S> {
  const { body, query } = input as { body?: object; query?: object };
  return {
    ...input,
    ...(op.body && { body: decode(op.body, body) }),
    ...(op.query && { query: decode(op.query, query ?? {}) }),
  } as unknown as CallInput<S>;
}

function inTime(caller: AccountContext): AccountContext {
  return { ...caller, deadlineMs: deadlineIn(CALL_SECONDS) };
}
