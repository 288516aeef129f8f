import { schemaOf, type PublicOperation } from '@vaultsvc/contracts';
import fc, { type Arbitrary } from 'fast-check';
import { endingOf, pathNamesOf, propertiesOf } from './contract-names.js';
import { objectsOf } from './input-arbitraries.js';
import { PLANTED } from './invariants.js';
import type { Transport } from './figures.js';
import type { Owner } from './known-values.js';

/**
 * Which resources the path of a call names. `own`: of the caller; `foreign`: of the other account; `misplaced`: below a parent
 * that is not theirs; `deleted`: after their deletion; `unknown`: of nobody; `wrong-vat`: with a Vault Access Token of another
 * vault; `ended-vat`: with one that a seal has ended; `revoked-key`: with an API key that was revoked.
 */
export type Target =
  | 'own'
  | 'foreign'
  | 'misplaced'
  | 'deleted'
  | 'unknown'
  | 'wrong-vat'
  | 'ended-vat'
  | 'revoked-key';

/** One step of a sequence, without ids: they are chosen among those that exist when the step runs. */
export interface CallStep {
  readonly op: PublicOperation;
  readonly owner: Owner;
  readonly via: Transport;
  readonly asSession: boolean;
  readonly target: Target;
  /** Chooses among the resources that fit. */
  readonly pick: number;
  /** Create the resources of the call instead of using existing ones. */
  readonly isFresh: boolean;
  /** With a token of the resource's owner instead of one of the caller. */
  readonly withForeignVat: boolean;
  readonly times: 'once' | 'twice' | 'concurrently';
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly query: Readonly<Record<string, unknown>> | undefined;
  /** Fields that the contract of the body does not declare. */
  readonly surplus: Readonly<Record<string, unknown>>;
}

/** Steps that call one operation. */
export function callStepsOf(op: PublicOperation): Arbitrary<CallStep> {
  return fc.record({
    op: fc.constant(op),
    owner: fc.constantFrom('A', 'A', 'B'),
    via: fc.constantFrom(...transportsOf(op)),
    asSession: fc.boolean(),
    target: targetsOf(op),
    pick: fc.nat(99),
    isFresh: fc.nat(5).map((number) => number === 0),
    withForeignVat: fc.boolean(),
    times: fc.constantFrom('once', 'once', 'once', 'twice', 'concurrently'),
    body: op.body ? objectsOf(op.body) : fc.constant(undefined),
    query: op.query ? objectsOf(op.query) : fc.constant(undefined),
    surplus: op.body ? surplusOf(op) : fc.constant({}),
  });
}

/**
 * On the wire a caller has an account, or the operation needs none. Operations of the gateway have no handler elsewhere; a reply
 * in parts is put together by the gateway.
 */
export function transportsOf({ access, service, parts }: PublicOperation): Transport[] {
  const isOfGateway = access.credential === 'identity-only' || service === 'gateway' || parts !== undefined;
  return isOfGateway ? ['http'] : ['http', 'wire'];
}

/** How often each target is chosen among those that an operation has. */
const weights: Readonly<Record<Target, number>> = {
  own: 6,
  foreign: 6,
  misplaced: 4,
  deleted: 4,
  unknown: 1,
  'wrong-vat': 2,
  'ended-vat': 1,
  'revoked-key': 1,
};

function targetsOf(op: PublicOperation): Arbitrary<Target> {
  const names = pathNamesOf(op);
  const isOfAccount = ['key', 'session'].includes(op.access.credential ?? '');
  const isInVault = op.access.vat !== undefined && op.access.vatOf === undefined;
  const applies: Readonly<Record<Target, boolean>> = {
    own: true,
    foreign: names.length > 0 && isOfAccount,
    misplaced: names.length > 1 && isOfAccount,
    deleted: names.some((_, level) => endingOf(op, level) !== undefined) && isOfAccount,
    unknown: names.length > 0,
    'wrong-vat': isInVault,
    'ended-vat': isInVault,
    'revoked-key': op.access.credential === 'key',
  };
  const chosen = (Object.keys(weights) as Target[]).filter((target) => applies[target]);
  return fc.oneof(...chosen.map((target) => ({ weight: weights[target], arbitrary: fc.constant(target) })));
}

/** Fields of stored rows that no caller may set (mass assignment). */
const columns: Readonly<Record<string, readonly unknown[]>> = {
  account_id: ['of the other account'],
  user_id: ['of the other account'],
  vault_id: ['of the other account'],
  id: [PLANTED],
  status: ['deleting', 'active', PLANTED],
  role: ['owner'],
  seat: ['full'],
  access_level: ['read_write'],
  version: [987_654_321],
  created_at: [1],
  updated_at: [1],
  expires_at: [99_999_999_999],
  managed_by: [PLANTED],
  upload_source: [PLANTED],
  created_by_user_id: [PLANTED],
  current_version: [PLANTED],
  is_admin: [true],
  constructor: [{ prototype: { is_admin: true } }],
};

function surplusOf({ body }: PublicOperation): Arbitrary<Readonly<Record<string, unknown>>> {
  const declared = body ? propertiesOf(schemaOf(body)) : {};
  const fields = Object.entries(columns).filter(([name]) => !Object.hasOwn(declared, name));
  const some = fc.record(
    Object.fromEntries(fields.map(([name, values]) => [name, fc.constantFrom(...values)])),
    {
      requiredKeys: [],
    },
  );
  return fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: some });
}
