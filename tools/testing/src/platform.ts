import type { RunningService } from '@vaultsvc/service';
import { DnsServer } from '@vaultsvc/testing/dns';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { rowsOf, startHarness, urlOf, type Harness } from '@vaultsvc/testing/harness';
import { withoutLimits } from '@vaultsvc/testing/http';
import { services as definitions } from '../../../apps/all/src/services.js';
import { auth } from '../../../apps/auth/src/service-definition.js';
import { forge } from '../../../apps/forge/src/service-definition.js';
import { gateway } from '../../../apps/gateway/src/service-definition.js';
import { integrations } from '../../../apps/integrations/src/service-definition.js';
import { notify } from '../../../apps/notify/src/service-definition.js';
import { reporting } from '../../../apps/reporting/src/service-definition.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { vaults } from '../../../apps/vaults/src/service-definition.js';
import { freePort } from '../../stack/servers/ports.ts';
import { startAppProviders, type AppProviders } from './app-providers.js';
import { sharedIdentity, type TestIdentity } from './identity-provider.js';

/** The services behind the gateway. */
export const BACKENDS = ['auth', 'sparks', 'vaults', 'forge', 'notify', 'integrations', 'reporting'] as const;
export type Backend = (typeof BACKENDS)[number];

/** The gateway and the services behind it, all in this process. */
export interface Platform {
  readonly harness: Harness;
  /** Origin of the gateway, without a slash at the end. */
  readonly url: string;
  /** The public origin in the settings of the API, over which crma signs. */
  readonly apiOrigin: string;
  /** Origin of Forge, with which the URLs of uploads and downloads start. */
  readonly forgeUrl: string;
  /** Origin of link pages. */
  readonly linkUrl: string;
  /** Origin of file pages. */
  readonly filesUrl: string;
  readonly auth: RunningService;
  readonly sparks: RunningService;
  readonly reporting: RunningService;
  readonly notify: RunningService;
  readonly vaults: RunningService;
  readonly forge: RunningService;
  readonly integrations: RunningService;
  /** The resolver of domain claims; without records at first. */
  readonly dns: DnsServer;
  /** The identity provider. */
  readonly identity: TestIdentity;
  /** The emulated providers of the integrations. */
  readonly providers: AppProviders;
  /** Runs SQL in auth's schema and returns the rows, to back-date instead of waiting (OPEN-63). */
  authSql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs while a service is stopped, and starts it again afterwards, at the same address. */
  without<T>(backend: Backend, run: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

/** Limits that no test reaches; a test of a limit sets its own. */
const highLimits = {
  ...withoutLimits,
  IDENTITY_POOL_SEATS: '10000',
};

/** Settings of one service alone. */
type OwnSettings = Partial<Readonly<Record<Backend, Readonly<Record<string, string>>>>>;

/** Starts the gateway and the services behind it. Each service reads its own of the settings; HTTP_PORT is that of the gateway. */
export async function startPlatform(
  settings: Record<string, string> = {},
  ownSettings: OwnSettings = {},
): Promise<Platform> {
  const identity = sharedIdentity();
  const [dns, providers, pages] = await Promise.all([DnsServer.start(), startAppProviders(), pageOrigins()]);
  const own = { LOG_LEVEL: 'silent', DNS_RESOLVERS: dns.address, ...identity.settings, ...pages };
  const harness = await startHarness({ ...own, ...highLimits, ...settings });
  harness.shareDatabase(definitions.filter(({ name }) => !hasOwnDatabase(ownSettings[name as Backend])));
  const starters = startersOf(harness, providers, ownSettings);
  const services = await startServices(starters);
  const forgeUrl = urlOf(services.forge);
  const gatewayService = await harness.start(gateway, {
    HTTP_PORT: settings['HTTP_PORT'] ?? '0',
    FORGE_ORIGIN: forgeUrl,
  });
  const platform: Platform = {
    harness,
    url: urlOf(gatewayService),
    apiOrigin: settings['API_ORIGIN'] ?? 'http://127.0.0.1:8080',
    forgeUrl,
    linkUrl: pages.LINK_ORIGIN,
    filesUrl: pages.FILES_ORIGIN,
    ...services,
    dns,
    identity,
    providers,
    authSql: (text, values) => rowsOf(platform.auth, text, values),
    without: async (backend, run) => {
      await platform[backend].stop();
      try {
        return await run();
      } finally {
        Object.assign(platform, { [backend]: await starters[backend](forgeUrl) });
      }
    },
    stop: async () => {
      await harness.stop();
      await Promise.all([dns.stop(), providers.stop()]);
    },
  };
  return platform;
}

type Starters = Readonly<Record<Backend, (forgeUrl?: string) => Promise<RunningService>>>;

const hasOwnDatabase = (settings: object = {}) => 'DATABASE_URL' in settings;

function startersOf(harness: Harness, providers: AppProviders, own: OwnSettings): Starters {
  return {
    auth: () => harness.start(auth, own.auth),
    sparks: () => harness.start(sparks, own.sparks),
    vaults: (forgeUrl = '') => harness.start(vaults, { FORGE_ORIGIN: forgeUrl, ...own.vaults }),
    forge: (forgeUrl) =>
      harness.start(forge, { HTTP_PORT: forgeUrl ? new URL(forgeUrl).port : '0', ...own.forge }),
    notify: () => harness.start(notify, own.notify),
    integrations: () => harness.start(integrations, { ...providers.settings, ...own.integrations }),
    reporting: () => harness.start(reporting, own.reporting),
  };
}

/** vaults needs the origin of Forge. */
async function startServices(starters: Starters): Promise<Record<Backend, RunningService>> {
  const started = await starters.forge();
  const others = BACKENDS.filter((name) => name !== 'forge').map(
    async (name) => [name, await starters[name](urlOf(started))] as const,
  );
  return {
    ...(Object.fromEntries(await Promise.all(others)) as Record<Exclude<Backend, 'forge'>, RunningService>),
    forge: started,
  };
}

/** The platform for the tests of a spec file: see `useFixture`. */
export function usePlatform(settings?: Record<string, string>): Platform {
  return useFixture(
    () => startPlatform(settings),
    (platform) => platform.stop(),
  );
}

/**
 * Ports are chosen before the gateway starts: it compares the Origin of posts from pages with its settings, and sparks
 * builds the URLs of links. Passkeys need a host name.
 */
async function pageOrigins() {
  const [link, files] = [await freePort(), await freePort()];
  return {
    LINK_PORT: String(link),
    FILES_PORT: String(files),
    LINK_ORIGIN: `http://localhost:${link}`,
    FILES_ORIGIN: `http://127.0.0.1:${files}`,
  };
}
