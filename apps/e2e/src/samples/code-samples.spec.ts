import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decode, exampleOf, project, type PublicOperation } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import { RecordFileRequest, RecordUnsealing } from '@vaultsvc/contracts/integrations';
import { receiveStripeEvent, validatePurchase } from '@vaultsvc/contracts/reporting';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { startAppStore } from '@vaultsvc/tools-testing/app-store';
import { startPlatform, type Platform } from '@vaultsvc/tools-testing/platform';
import { ensureTools } from '../../../../tools/stack/servers/install.ts';
import { freePort } from '../../../../tools/stack/servers/ports.ts';
import { identityOnly } from '../access/callers.js';
import { operationCases } from '../access/operation-cases.js';
import { inviteeOf, sampleOf, vaultAccessOf } from '../access/samples.js';
import { newTenant, type Tenant } from '../access/tenant.js';
import { forgeOperations, runForgeSamples } from './forge-transfer.js';
import { providerValues } from './provider-values.js';
import { realValues, withValues } from './real-values.js';
import { printedSamples, type PrintedSamples } from './printed-samples.js';
import { PythonRunner, ShellRunner, TypeScriptRunner, type Environment } from './sample-runners.js';
import { typeErrorsOf } from './sample-types.js';

const STRIPE_WEBHOOK_SECRET = 'whsec_e2e';
const purchase = {
  bundleId: 'com.example.vault',
  environment: 'Production',
  type: 'Auto-Renewable Subscription',
  productId: 'com.example.team',
  expiresDate: Date.now() + 30 * 86_400_000,
};

const store = useFixture(
  () => startAppStore(purchase),
  async () => undefined,
);
const platform = useFixture(
  async () => {
    const port = String(await freePort());
    return startPlatform({
      HTTP_PORT: port,
      API_ORIGIN: `http://127.0.0.1:${port}`,
      APPLE_ROOT_CERTIFICATES: store.root,
      APPLE_BUNDLE_ID: purchase.bundleId,
      APPLE_PRODUCTS: `${purchase.productId}=team`,
    });
  },
  (running) => running.stop(),
);
const stripePlatform = useFixture(
  () =>
    startPlatform({
      BILLING_PROVIDER: 'stripe',
      BILLING_RETURN_URL: 'http://127.0.0.1/billing',
      STRIPE_API_ORIGIN: 'http://127.0.0.1:9',
      STRIPE_SECRET_KEY: 'sk_test',
      STRIPE_PUBLISHABLE_KEY: 'pk_test',
      STRIPE_WEBHOOK_SECRET,
    }),
  (running) => running.stop(),
);

const runners = {
  Shell: new ShellRunner(),
  TypeScript: new TypeScriptRunner(),
  Python: new PythonRunner(),
};
let samples: PrintedSamples;
beforeAll(async () => {
  await ensureTools(['curl', 'openssl', 'python3']);
  samples = await printedSamples(platform.url);
});
afterAll(() => Object.values(runners).forEach((runner) => runner.stop()));

/** The variables that the samples read. */
async function environmentOf(op: PublicOperation, tenant: Tenant, input: object): Promise<Environment> {
  const { url, linkUrl, providers } = tenant.platform;
  const {
    CHATAPP_SIGNING_SECRET = '',
    CRMA_CLIENT_SECRET = '',
    CRMB_SESSION_SECRET = '',
  } = providers.settings;
  const isIdentityOnly = op.access.credential === 'identity-only';
  const identity = isIdentityOnly ? await identityOnly(tenant, inviteeOf(input)) : undefined;
  return {
    VAULTSVC_URL: url,
    VAULTSVC_LINKS: linkUrl,
    VAULTSVC_API_KEY: tenant.apiKey,
    VAULTSVC_TOKEN: identity?.jwt ?? tenant.ownerSession.token,
    VAULTSVC_VAT: vaultAccessOf(input).headers?.['X-Vault-Access-Token'] ?? '',
    CHATAPP_SIGNING_SECRET,
    CRMA_CLIENT_SECRET,
    CRMB_SESSION_SECRET,
    STRIPE_WEBHOOK_SECRET,
  };
}

/** The page of a panel makes these calls with a ticket that opens once; no source of uploads is enabled. */
const hasNoSamples = ({ http }: PublicOperation) =>
  http.path.startsWith('/v1/apps/{app_id}/panel/') || http.path.includes('/upload-sources/');

const printed = {
  vmk: exampleOf(RecordUnsealing)['vmk'] as string,
  vat: exampleOf(RecordFileRequest)['vat'] as string,
  ingot_id: exampleOf(RecordFileRequest)['ingot_id'] as string,
};

async function inputOf(op: PublicOperation, tenant: Tenant): Promise<object> {
  if (op.name !== validatePurchase.name) return sampleOf(op)(tenant);
  return { body: { receipt: await store.sign({ originalTransactionId: String(randomInt(2 ** 40)) }) } };
}

/** Runs the sample of one language for an account of its own. */
async function outcomeOf(op: PublicOperation, lang: keyof typeof runners, on: Platform) {
  const tenant = await newTenant(on);
  const input = await inputOf(op, tenant);
  const { values, variables } = op.access.provider
    ? await providerValues(op, tenant, printed)
    : { values: realValues(op, input), variables: {} };
  return runners[lang].run(withValues(samples.sourceOf(op, lang), values), {
    ...(await environmentOf(op, tenant, input)),
    ...variables,
  });
}

/** Nothing or the status without a body, otherwise the reply: in TypeScript `data` alone, because the client opens the envelope. */
function assertPrinted(op: PublicOperation, text: unknown): void {
  if (op.parts || !op.reply || text === '' || text === op.http.status) return;
  const isEnvelope = typeof text === 'object' && text !== null && 'data' in text && 'meta' in text;
  const data = isEnvelope ? text.data : text;
  decode(op.reply, data);
  expect(project(op.reply, data)).toEqual(data);
}

describe('OPEN-56: the samples of an operation run as they are pasted into bash, TypeScript and Python', () => {
  it.each(operationCases(operations.filter((op) => !hasNoSamples(op))))('$operation', async ({ op }) => {
    const on = op.name === receiveStripeEvent.name ? stripePlatform : platform;
    const languages = Object.keys(runners) as (keyof typeof runners)[];
    await Promise.all(
      languages.map(async (lang) => {
        const { status, printed: text } = await outcomeOf(op, lang, on);
        expect({ lang, status }).toEqual({ lang, status: op.http.status });
        assertPrinted(op, text);
      }),
    );
  });
});

describe('OPEN-56: the samples of Forge', () => {
  it.each(Object.keys(runners) as (keyof typeof runners)[])(
    'FRG-07 FRG-10 FRG-14 FRG-15 FRG-19: upload a file, download it, and cancel an upload, in %s',
    async (lang) => {
      const outcomes = await runForgeSamples(platform, samples, lang, runners[lang]);
      const statuses = Object.entries(outcomes).map(([operation, { status }]) => [operation, status]);
      expect(Object.fromEntries(statuses)).toEqual({
        'OPTIONS /encrypt': 204,
        'POST /encrypt': 201,
        'HEAD /{upload_id}': 200,
        'PATCH /{upload_id}': 204,
        'GET /decrypt': 200,
        'GET /progress': 200,
        'DELETE /{upload_id}': 204,
        'GET /health': 200,
      });
      expect(String(outcomes['OPTIONS /encrypt'].printed)).toContain('creation,termination');
      expect(String(outcomes['HEAD /{upload_id}'].printed)).toMatch(/^(upload-offset: )?0$/im);
      expect(outcomes['GET /decrypt'].printed).toBe('hello, vault');
      expect(outcomes['GET /progress'].printed).toMatchObject({ progress: { total_bytes: 12 } });
      expect(outcomes['GET /health'].printed).toMatchObject({ status: expect.any(String) });
    },
  );
});

describe('OPEN-56: the samples of the reference', () => {
  it('have no type errors in TypeScript', () => {
    expect(typeErrorsOf(samples.all('TypeScript'))).toBe('');
  });

  it('OPEN-66 OPEN-24 FRG-02: are of all operations, those of Forge too, but those of panels and of uploads through sources', () => {
    const count = operations.filter((op) => !hasNoSamples(op)).length + forgeOperations.length;
    for (const lang of Object.keys(runners)) expect(samples.all(lang)).toHaveLength(count);
  });
});
