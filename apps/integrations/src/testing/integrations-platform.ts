import { randomUUID } from 'node:crypto';
import type { AccountContext } from '@vaultsvc/contracts';
import { createVault, type CreatedVault } from '@vaultsvc/contracts/vaults';
import type { RunningService } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { accountContext, rowsOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { withoutLimits } from '@vaultsvc/testing/http';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { startAppProviders, type AppProviders } from '@vaultsvc/tools-testing/app-providers';
import { auth } from '@vaultsvc/tools-testing/services/auth';
import { reporting } from '@vaultsvc/tools-testing/services/reporting';
import { sparks } from '@vaultsvc/tools-testing/services/sparks';
import { vaults } from '@vaultsvc/tools-testing/services/vaults';
import { integrations } from '../service-definition.js';

/** For specs: integrations with the services that it calls and the emulated providers, on real servers. */
export interface IntegrationsPlatform {
  readonly harness: Harness;
  readonly service: RunningService;
  readonly providers: AppProviders;
  readonly auth: RunningService;
  /** The context of the owner of a new account, with a session. */
  newCaller(): Promise<AccountContext>;
  newVault(caller: AccountContext): Promise<CreatedVault>;
  /** Runs SQL in the schema of reporting. */
  reportingSql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs SQL in the schema of auth. */
  authSql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs SQL in the schema of integrations. */
  sql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

async function startPlatform(): Promise<IntegrationsPlatform> {
  const harness = await startHarness({ LOG_LEVEL: 'silent', ...withoutLimits });
  const providers = await startAppProviders();
  const [authService, reportingService] = await Promise.all([
    harness.start(auth),
    harness.start(reporting),
    harness.start(sparks),
    harness.start(vaults),
  ]);
  const service = await harness.start(integrations, providers.settings);
  return {
    harness,
    service,
    providers,
    auth: authService,
    newCaller: async () => {
      const { accountId, userId } = await newAccount(authService);
      return accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    },
    newVault: (caller) => harness.bus.call(createVault, { body: { name: randomUUID() } }, caller),
    reportingSql: (text, values) => rowsOf(reportingService, text, values),
    authSql: (text, values) => rowsOf(authService, text, values),
    sql: (text, values) => rowsOf(service, text, values),
  };
}

/** The platform for the tests of a spec file: see `useFixture`. */
export function useIntegrations(): IntegrationsPlatform {
  return useFixture(startPlatform, async ({ harness, providers }) => {
    await harness.stop();
    await providers.stop();
  });
}
