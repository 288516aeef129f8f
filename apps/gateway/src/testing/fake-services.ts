import { Controller, Injectable, Module } from '@nestjs/common';
import {
  integer,
  rotatedKey,
  secretUrl,
  Setting,
  ServiceConfig,
  type RotatedKey,
  type Secret,
} from '@vaultsvc/config';
import {
  AppError,
  isErrorReason,
  type CallContext,
  type ContextOf,
  type Input,
  type StripeContext,
} from '@vaultsvc/contracts';
import {
  listSigningKeys,
  readSignInClient,
  resolveCredential,
  type SignInClient,
} from '@vaultsvc/contracts/auth';
import { loadPoolSnapshot } from '@vaultsvc/contracts/reporting';
import { openVaultSession } from '@vaultsvc/contracts/vaults';
import {
  credentialCache,
  CredentialCache,
  poolSnapshotCache,
  PoolSnapshotCache,
  RedisModule,
  type CredentialRecord,
  type PoolSnapshot,
} from '@vaultsvc/limits';
import { Handles, ProviderGuard, type AdmittedRequest, type ProviderRequest } from '@vaultsvc/messaging';
import { defineService } from '@vaultsvc/service';
import * as widgets from './test-operations.js';

class FakeServicesConfig extends ServiceConfig {
  @Setting(secretUrl, 'Redis.') REDIS_URL: Secret;
  @Setting(integer(), 'As of the gateway.') REDIS_ANSWER_MS = 250;
  @Setting(rotatedKey, 'As of auth.') CREDENTIAL_RECORD_KEY: Secret<RotatedKey>;
  @Setting(rotatedKey, 'As of reporting.') POOL_SNAPSHOT_KEY: Secret<RotatedKey>;
}

/** State of the fake services behind a gateway under test: the records that they return and the calls that they received. */
@Injectable()
export class FakeServices {
  /** Keyed by `kind:key` of resolveCredential. */
  readonly credentials = new Map<string, CredentialRecord>();
  readonly poolSnapshots = new Map<string, PoolSnapshot>();
  keysJson = '{"keys":[]}';
  /** undefined while the identity provider is down. */
  signInClient: SignInClient | undefined;
  readonly calls: { operation: string; context: CallContext; input: unknown }[] = [];

  /** Vault Access Tokens that were ended. */
  readonly endedVats = new Set<string>();

  /** Handlers await this for inputs with the text or link code `held`. */
  beforeAnswer: () => Promise<void> = () => Promise.resolve();

  recordCall(operation: string, input: unknown, context: CallContext): void {
    this.calls.push({ operation, context, input });
  }
}

@Controller()
class FakeAuth {
  constructor(
    private readonly fakes: FakeServices,
    private readonly cache: CredentialCache,
  ) {}

  @Handles(resolveCredential)
  async resolve({ body }: Input<typeof resolveCredential>, context: CallContext) {
    this.fakes.recordCall('resolve', body, context);
    const record = this.fakes.credentials.get(`${body.kind}:${body.key}`);
    if (record) await this.cache.put(`${body.kind === 'api_key' ? 'k' : 's'}:${body.key}`, record);
    return { found: record !== undefined };
  }

  @Handles(listSigningKeys)
  async keys(_: Input<typeof listSigningKeys>, context: CallContext) {
    this.fakes.recordCall('keys', {}, context);
    return { keys_json: this.fakes.keysJson };
  }

  @Handles(readSignInClient)
  async signInClient(_: Input<typeof readSignInClient>): Promise<SignInClient> {
    if (!this.fakes.signInClient) throw new AppError('INTERNAL_ERROR');
    return this.fakes.signInClient;
  }
}

@Controller()
class FakeReporting {
  constructor(
    private readonly fakes: FakeServices,
    private readonly cache: PoolSnapshotCache,
  ) {}

  @Handles(loadPoolSnapshot)
  async load({ body }: Input<typeof loadPoolSnapshot>) {
    const record = this.fakes.poolSnapshots.get(body.account_id);
    if (record) await this.cache.put(body.account_id, record);
    return {};
  }
}

@Controller()
class FakeVaults {
  constructor(private readonly fakes: FakeServices) {}

  @Handles(openVaultSession)
  async session({ body }: Input<typeof openVaultSession>, context: CallContext) {
    this.fakes.recordCall('vault-session', body, context);
    if (body.vat === 'unknown' || this.fakes.endedVats.has(body.vat))
      throw new AppError('AUTHENTICATION_ERROR');
    if (body.vat === 'no-vault') throw new AppError('NOT_FOUND');
    if (body.vat === 'of-foreign-vault') throw new AppError('VAULT_NOT_FOUND');
    if (body.vat === 'read-only' && body.level === 'write') throw new AppError('VAT_READ_ONLY');
    return { vault_id: body.vault_id, access_level: 'read_write' as const };
  }
}

@Controller()
class TestOperationHandlers {
  constructor(private readonly fakes: FakeServices) {}

  @Handles(widgets.createWidget)
  async make({ body }: Input<typeof widgets.createWidget>, context: ContextOf<typeof widgets.createWidget>) {
    if (isErrorReason(body.text)) throw new AppError(body.text, { resource: 'storage' });
    if (body.text === 'held') await this.fakes.beforeAnswer();
    if (body.text === 'bug') throw new Error('password=hunter2');
    return this.#widget('make', body, context);
  }
  @Handles(widgets.readWidget)
  async read({ params }: Input<typeof widgets.readWidget>, context: CallContext) {
    if (params.widget_id.endsWith('0')) throw new AppError('SPARK_NOT_FOUND');
    return this.#widget('read', { text: params.widget_id, size: 1 }, context);
  }
  @Handles(widgets.listWidgets)
  async list({ query }: Input<typeof widgets.listWidgets>) {
    return page(query);
  }
  @Handles(widgets.listOthers)
  async others({ query }: Input<typeof widgets.listOthers>) {
    const { items, next_cursor = null } = page(query);
    return { items, cursor: next_cursor };
  }
  @Handles(widgets.deleteWidget)
  async drop({ params }: Input<typeof widgets.deleteWidget>, context: CallContext) {
    this.fakes.recordCall('drop', params, context);
  }
  @Handles(widgets.administerWidget)
  async administer({ body }: Input<typeof widgets.administerWidget>, context: CallContext) {
    return this.#widget('administer', body, context);
  }
  @Handles(widgets.useWidgetInSession)
  async session(_: Input<typeof widgets.useWidgetInSession>, context: CallContext) {
    return this.#widget('session', { text: '', size: 1 }, context);
  }
  @Handles(widgets.useWidgetInSignUp)
  async signUp(_: Input<typeof widgets.useWidgetInSignUp>, context: CallContext) {
    return this.#widget('sign-up', { text: '', size: 1 }, context);
  }
  @Handles(widgets.useWidgetPublicly)
  async open({ body }: Input<typeof widgets.useWidgetPublicly>, context: CallContext) {
    return this.#widget('open', body, context);
  }
  @Handles(widgets.useWidgetOfVault)
  async vault({ body }: Input<typeof widgets.useWidgetOfVault>, context: CallContext) {
    return this.#widget('vault', body, context);
  }
  @Handles(widgets.useSecretOfVault)
  async secret(
    { body }: Input<typeof widgets.useSecretOfVault>,
    context: ContextOf<typeof widgets.useSecretOfVault>,
  ) {
    return this.#widget('secret', body, context);
  }
  @Handles(widgets.useVaultOfBody)
  async vaultOfBody(
    { body: { text, size } }: Input<typeof widgets.useVaultOfBody>,
    context: ContextOf<typeof widgets.useVaultOfBody>,
  ) {
    return this.#widget('vault-of-body', { text, size }, context);
  }
  @Handles(widgets.openWidgetLink)
  async openLinked(
    { params, body }: Input<typeof widgets.openWidgetLink>,
    context: ContextOf<typeof widgets.openWidgetLink>,
  ) {
    this.fakes.recordCall('open-linked', { params, body }, context);
    if (params.link_code === 'held') await this.fakes.beforeAnswer();
    const reason = params.link_code;
    if (isErrorReason(reason)) throw new AppError(reason, { resets_at: Math.floor(Date.now() / 1_000) + 90 });
    return this.#widget('open-linked', { text: params.link_code, size: 1 }, context);
  }
  @Handles(widgets.readNamedValue)
  async named({ query }: Input<typeof widgets.readNamedValue>, context: CallContext) {
    this.fakes.recordCall('named', query, context);
    return { number: 1 };
  }
  @Handles(widgets.storeValues)
  async keep({ body }: Input<typeof widgets.storeValues>, context: CallContext) {
    this.fakes.recordCall('keep', body, context);
    return { number: 1 };
  }
  @Handles(widgets.receiveWidgetEvent)
  async receive(
    _: Input<typeof widgets.receiveWidgetEvent>,
    context: ContextOf<typeof widgets.receiveWidgetEvent>,
  ) {
    this.fakes.recordCall('receive', undefined, context);
    return { body: context.event.id, signed: context.event.type };
  }
  @Handles(widgets.readDocument)
  async bare() {
    return { number: 1 };
  }

  #widget(
    operation: string,
    body: { text: string; size: number },
    context: CallContext,
  ): widgets.WidgetReply {
    this.fakes.recordCall(operation, body, context);
    const { credential } = context;
    const account_id = 'accountId' in credential ? credential.accountId : null;
    return { ...body, account_id, caller: credential.kind, created_at: 1 };
  }
}

/** Fakes auth's session operations. Like auth, it always replies with the refresh token; the gateway decides its delivery. */
@Controller()
class FakeSessions {
  constructor(private readonly fakes: FakeServices) {}

  @Handles(widgets.beginSession)
  async begin({ body }: Input<typeof widgets.beginSession>, context: CallContext) {
    this.fakes.recordCall('begin', body, context);
    return { access_token: 'opened', ...(body.text !== 'tokenless' && { refresh_token: body.text }) };
  }
  @Handles(widgets.promoteSession)
  async promote({ body }: Input<typeof widgets.promoteSession>, context: CallContext) {
    this.fakes.recordCall('promote', body, context);
    return { access_token: 'opened', refresh_token: body.text };
  }
  @Handles(widgets.renewSession)
  async renew({ body }: Input<typeof widgets.renewSession>, context: CallContext) {
    this.fakes.recordCall('renew', body, context);
    const { refresh_token: token } = body;
    if (token === undefined) throw new AppError('AUTHENTICATION_ERROR');
    if (isErrorReason(token)) throw new AppError(token);
    return { access_token: 'renewed', refresh_token: `${token}-next` };
  }
  @Handles(widgets.endSession)
  async end({ body }: Input<typeof widgets.endSession>, context: CallContext) {
    this.fakes.recordCall('end', body, context);
    if (body.refresh_token === 'bug') throw new Error('a fault');
  }
}

/** A page of five items; the cursor is the number of the last item returned. */
function page({
  limit,
  cursor,
  colour,
}: {
  limit: number;
  cursor?: string;
  colour?: string;
}): widgets.WidgetPage {
  const from = cursor === undefined ? 1 : Number(cursor) + 1;
  const items = [1, 2, 3, 4, 5]
    .filter((number) => number >= from)
    .slice(0, limit)
    .map((number) => ({ number }));
  const last = items.at(-1)?.number ?? 5;
  return {
    items,
    colour,
    count: items.length,
    has_more: last < 5,
    ...(last < 5 && { next_cursor: String(last) }),
  };
}

/** Verifies nothing: the reply tells what the gateway has forwarded. */
@Injectable()
class FakeProviderGuard extends ProviderGuard {
  override readonly providers = ['stripe'] as const;

  override async admit({ raw, context }: ProviderRequest): Promise<AdmittedRequest> {
    const event = {
      id: raw.toString('latin1'),
      type: JSON.stringify(context.signedRequest),
      created: 0,
      data: { object: {} },
    };
    const admitted: StripeContext = { ...context, event };
    return { context: admitted };
  }
}

@Module({
  imports: [
    RedisModule.forRoot(FakeServicesConfig, [
      credentialCache(FakeServicesConfig),
      poolSnapshotCache(FakeServicesConfig),
    ]),
  ],
  controllers: [FakeAuth, FakeReporting, FakeVaults, TestOperationHandlers, FakeSessions],
  providers: [FakeServices, FakeProviderGuard],
})
class FakeServicesModule {}

/** Handles, over real NATS, the gateway's calls to auth, reporting and vaults, and the test operations. */
export const fakeServices = defineService({
  name: 'widgets',
  config: FakeServicesConfig,
  module: FakeServicesModule,
});
