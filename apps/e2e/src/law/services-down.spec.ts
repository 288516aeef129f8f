import { describe, expect, it } from '@jest/globals';
import { loadConfig, oneOf, Setting } from '@vaultsvc/config';
import { operations } from '@vaultsvc/contracts/catalog';
import { api, type ApiResponse, type Credentials } from '@vaultsvc/testing/http';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { BACKENDS, usePlatform, type Backend } from '@vaultsvc/tools-testing/platform';
import { inviteeOf } from '../access/samples.js';
import { newTenant, type Tenant } from '../access/tenant.js';
import { rows, type RoutedRow } from './index.js';
import type { Route } from './notation.js';
import { lawCallersOf } from './running/law-callers.js';
import { answerOf, inputOf, sendRow } from './running/row-request.js';

class RoutesConfig {
  @Setting(
    oneOf('some', 'all'),
    'Whether each route is tried with one of the services down or with each; `npm run services-down` sets `all`.',
  )
  ROUTES: 'some' | 'all' = 'some';
}

// Enough for the largest file, which a sample stores.
const platform = usePlatform({ STORAGE_POOL_BYTES: String(64 * 1_024 ** 4) });

/**
 * The routes that need a service besides their own, and are refused while it is down: a part of what they read or change is there.
 * All others answer.
 */
const needs: Readonly<Record<Backend, readonly Route[]>> = {
  auth: [
    // The upload source of the caller, and the policy of the account for links.
    'POST /v1/vaults/{vault_id}/ingots',
    'POST /v1/products/notify/send',
    // The signature of a receipt.
    'POST /{link_code}/interact',
    // The name and logo of the organization.
    'GET /v1/apps/{app_id}',
    'POST /v1/apps/{app_id}',
    'PUT /v1/apps/{app_id}',
  ],
  sparks: [
    // Links, those of shared files and of notifications included, and their state.
    'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks',
    'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sparklinks/{code}/deliver',
    'PUT /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing',
    'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite',
    'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite/{invite_id}/resend',
    'DELETE /v1/vaults/{vault_id}/ingots/{ingot_id}/sharing/invite/{invite_id}',
    'POST /v1/products/notify/send',
    'GET /v1/products/notify/sends/{send_id}',
    'POST /{link_code}/interact',
    // Values of keys are delivered as Sparks.
    'GET /v1/products/structured-ingots/{vault_id}/{ingot_id}',
  ],
  vaults: [
    // The file behind a code.
    'GET /v1/files/{code}',
    'POST /v1/files/{code}/open',
    // Whose vault it is.
    'GET /v1/vaults/{vault_id}/audit-logs',
    'GET /v1/vaults/{vault_id}/ingots/{ingot_id}/audit-logs',
    // The vault of a connection.
    'POST /v1/apps/crma/oauth/callback',
    'POST /v1/apps/crmb/oauth/callback',
  ],
  forge: [
    // Transfers.
    'POST /v1/vaults/{vault_id}/ingots',
    'PUT /v1/vaults/{vault_id}/ingots/{ingot_id}',
    'POST /v1/vaults/{vault_id}/ingots/{ingot_id}/download',
    'POST /v1/files/{code}/open',
  ],
  notify: [],
  integrations: [],
  reporting: [
    // Storage is reserved before an upload.
    'POST /v1/vaults/{vault_id}/ingots',
    'PUT /v1/vaults/{vault_id}/ingots/{ingot_id}',
  ],
};

const anyCall = { method: 'GET', target: '/v1/sparks' };
const REFUSED = '500 INTERNAL_ERROR';
/** The processes of a test share one thread: more calls at once would only wait for each other. */
const AT_ONCE = 4;

/** Requests of providers are signed, and those of Forge have no operation: see law-providers.spec.ts and services-down.spec.ts of vaults. */
const tried = rows.filter(({ origin, by, off }) => origin !== 'forge' && by !== 'provider' && !off);

const serviceOf = ({ route }: RoutedRow) =>
  operations.find(({ http }) => `${http.method} ${http.path}` === route)?.service;

/** A valid request that has not been sent. */
interface Prepared {
  readonly row: RoutedRow;
  readonly send: () => Promise<ApiResponse>;
}

/** The routes whose turn it is: in a run of all tests each is tried with another service down. */
function rowsFor(down: Backend): readonly RoutedRow[] {
  if (loadConfig(RoutesConfig).ROUTES === 'all') return tried;
  return tried.filter((_, place) => place % BACKENDS.length === BACKENDS.indexOf(down));
}

/** In chunks, one after the other. */
async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    done.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  return done;
}

function callerOf({ by }: RoutedRow) {
  if (by === 'none' || by === 'optional') return 'anonymous';
  return by === 'identity-only' ? 'identity-only' : 'owner';
}

/** An account has one subscription, and an app is installed once: calls that change them need accounts of their own. */
const hasOwnAccount = ({ route }: RoutedRow) => / \/v1\/(billing|apps)\b/.test(route);

async function prepare(row: RoutedRow, shared: Tenant): Promise<Prepared> {
  const tenant = hasOwnAccount(row) ? await newTenant(platform) : shared;
  const input = await inputOf(row, tenant);
  const credentials: Credentials = await lawCallersOf(tenant)(callerOf(row), inviteeOf(input));
  // The gateway asks auth for a credential once in 60 seconds.
  if (hasOwnAccount(row)) await tenant.owner.send(anyCall);
  return { row, send: () => sendRow(platform, row, credentials, input) };
}

/** The answers by route. */
async function answersTo(requests: readonly Prepared[]) {
  return Object.fromEntries(
    await each(requests, async ({ row, send }) => [row.route, answerOf(await send())] as const),
  );
}

const expected = (requests: readonly Prepared[], answerTo: (row: RoutedRow) => string) =>
  Object.fromEntries(requests.map(({ row }) => [row.route, answerTo(row)]));

describe('MISC-01 ENV-30: while one service is down', () => {
  it.each(BACKENDS)(
    '%s: the routes of the others answer, its own are refused in the envelope, and they answer again afterwards',
    async (down) => {
      const tenant = await newTenant(platform);
      const requests = await each(rowsFor(down), (row) => prepare(row, tenant));
      const own = requests.filter(({ row }) => serviceOf(row) === down);
      const others = requests.filter(({ row }) => serviceOf(row) !== down);
      await tenant.owner.send(anyCall);
      await platform.without(down, async () => {
        expect(await answersTo(own)).toEqual(expected(own, () => REFUSED));
        expect(await answersTo(others)).toEqual(
          expected(others, ({ route, status }) => (needs[down].includes(route) ? REFUSED : String(status))),
        );
      });
      expect(await answersTo(own)).toEqual(expected(own, ({ status }) => String(status)));
    },
    120_000,
  );

  it('auth: a credential that the gateway does not know is refused in the envelope', async () => {
    const { apiKey } = await mintApiKey(platform.auth);
    await platform.without('auth', async () => {
      const answer = await api(platform.url, { key: apiKey }).send(anyCall);
      expect(answerOf(answer)).toBe(REFUSED);
    });
  });
});
