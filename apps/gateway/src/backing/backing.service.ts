import { Injectable, Module } from '@nestjs/common';
import { integer, secretUrl, Setting, ServiceConfig, type Secret } from '@vaultsvc/config';
import { AppError, isErrorReason, type CallContext, type ContextOf, type Input } from '@vaultsvc/contracts';
import { listSigningKeys, resolveCredential } from '@vaultsvc/contracts/auth';
import { loadPoolSnapshot } from '@vaultsvc/contracts/reporting';
import { openVaultSession } from '@vaultsvc/contracts/vaults';
import {
  CredentialCache,
  PoolSnapshotCache,
  RedisModule,
  type CredentialRecord,
  type PoolSnapshot,
} from '@vaultsvc/limits';
import { Handles } from '@vaultsvc/messaging';
import { defineService } from '@vaultsvc/service';
import * as things from './things.js';

class BackingConfig extends ServiceConfig {
  @Setting(secretUrl, 'Redis.') REDIS_URL: Secret;
  @Setting(integer(), 'As of the gateway.') REDIS_ANSWER_MS = 250;
}

/** What the services behind the gateway know in a spec, and what they were asked. */
@Injectable()
export class Backing {
  /** By `kind:key`, as auth is asked. */
  readonly credentials = new Map<string, CredentialRecord>();
  readonly poolSnapshots = new Map<string, PoolSnapshot>();
  keysJson = '{"keys":[]}';
  readonly asked: { operation: string; context: CallContext; input: unknown }[] = [];

  /** What a handler of `held` waits for; told when it waits. */
  held: () => Promise<void> = () => Promise.resolve();

  note(operation: string, input: unknown, context: CallContext): void {
    this.asked.push({ operation, context, input });
  }
}

@Injectable()
class AuthHandlers {
  constructor(
    private readonly backing: Backing,
    private readonly cache: CredentialCache,
  ) {}

  @Handles(resolveCredential)
  async resolve({ body }: Input<typeof resolveCredential>, context: CallContext) {
    this.backing.note('resolve', body, context);
    const record = this.backing.credentials.get(`${body.kind}:${body.key}`);
    if (record) await this.cache.put(`${body.kind === 'api_key' ? 'k' : 's'}:${body.key}`, record);
    return { found: record !== undefined };
  }

  @Handles(listSigningKeys)
  async keys(_: Input<typeof listSigningKeys>, context: CallContext) {
    this.backing.note('keys', {}, context);
    return { keys_json: this.backing.keysJson };
  }
}

@Injectable()
class ReportingHandlers {
  constructor(
    private readonly backing: Backing,
    private readonly cache: PoolSnapshotCache,
  ) {}

  @Handles(loadPoolSnapshot)
  async load({ body }: Input<typeof loadPoolSnapshot>) {
    const record = this.backing.poolSnapshots.get(body.account_id);
    if (record) await this.cache.put(body.account_id, record);
    return {};
  }
}

@Injectable()
class VaultHandlers {
  constructor(private readonly backing: Backing) {}

  @Handles(openVaultSession)
  async session({ body }: Input<typeof openVaultSession>, context: CallContext) {
    this.backing.note('vault-session', body, context);
    if (body.vat === 'unknown') throw new AppError('AUTHENTICATION_ERROR');
    if (body.vat === 'no-vault') throw new AppError('NOT_FOUND');
    return { vault_id: body.vault_id, access_level: 'read_write' as const };
  }
}

@Injectable()
class ThingHandlers {
  constructor(private readonly backing: Backing) {}

  @Handles(things.makeThing)
  async make({ body }: Input<typeof things.makeThing>, context: ContextOf<typeof things.makeThing>) {
    if (isErrorReason(body.text)) throw new AppError(body.text, { resource: 'storage' });
    if (body.text === 'held') await this.backing.held();
    if (body.text === 'bug') throw new Error('password=hunter2');
    return this.#thing('make', body, context);
  }
  @Handles(things.readThing)
  async read({ params }: Input<typeof things.readThing>, context: CallContext) {
    if (params.thing_id.endsWith('0')) throw new AppError('SPARK_NOT_FOUND');
    return this.#thing('read', { text: params.thing_id, size: 1 }, context);
  }
  @Handles(things.listThings)
  async list({ query }: Input<typeof things.listThings>) {
    return page(query);
  }
  @Handles(things.listOthers)
  async others({ query }: Input<typeof things.listOthers>) {
    return page(query);
  }
  @Handles(things.dropThing)
  async drop({ params }: Input<typeof things.dropThing>, context: CallContext) {
    this.backing.note('drop', params, context);
  }
  @Handles(things.adminThing)
  async administer({ body }: Input<typeof things.adminThing>, context: CallContext) {
    return this.#thing('administer', body, context);
  }
  @Handles(things.sessionThing)
  async session(_: Input<typeof things.sessionThing>, context: CallContext) {
    return this.#thing('session', { text: '', size: 1 }, context);
  }
  @Handles(things.signUpThing)
  async signUp(_: Input<typeof things.signUpThing>, context: CallContext) {
    return this.#thing('sign-up', { text: '', size: 1 }, context);
  }
  @Handles(things.openThing)
  async open({ body }: Input<typeof things.openThing>, context: CallContext) {
    return this.#thing('open', body, context);
  }
  @Handles(things.vaultThing)
  async vault({ body }: Input<typeof things.vaultThing>, context: CallContext) {
    return this.#thing('vault', body, context);
  }
  @Handles(things.secretThing)
  async secret({ body }: Input<typeof things.secretThing>, context: ContextOf<typeof things.secretThing>) {
    return this.#thing('secret', body, context);
  }
  @Handles(things.openLinkedThing)
  async openLinked(
    { params, body }: Input<typeof things.openLinkedThing>,
    context: ContextOf<typeof things.openLinkedThing>,
  ) {
    this.backing.note('open-linked', { params, body }, context);
    if (params.link_code === 'held') await this.backing.held();
    const reason = params.link_code;
    if (isErrorReason(reason)) throw new AppError(reason, { resets_at: Math.floor(Date.now() / 1_000) + 90 });
    return this.#thing('open-linked', { text: params.link_code, size: 1 }, context);
  }
  @Handles(things.namedThing)
  async named({ query }: Input<typeof things.namedThing>, context: CallContext) {
    this.backing.note('named', query, context);
    return { number: 1 };
  }
  @Handles(things.keepThing)
  async keep({ body }: Input<typeof things.keepThing>, context: CallContext) {
    this.backing.note('keep', body, context);
    return { number: 1 };
  }
  @Handles(things.bareThing)
  async bare() {
    return { number: 1 };
  }

  #thing(operation: string, body: { text: string; size: number }, context: CallContext): things.ThingReply {
    this.backing.note(operation, body, context);
    const { credential } = context;
    const account_id = 'accountId' in credential ? credential.accountId : null;
    return { ...body, account_id, caller: credential.kind, created_at: 1 };
  }
}

/** Plays auth: says what it was asked, and always gives the refresh token, as auth does. */
@Injectable()
class SessionHandlers {
  constructor(private readonly backing: Backing) {}

  @Handles(things.beginSession)
  async begin({ body }: Input<typeof things.beginSession>, context: CallContext) {
    this.backing.note('begin', body, context);
    return { access_token: 'opened', ...(body.text !== 'tokenless' && { refresh_token: body.text }) };
  }
  @Handles(things.promoteSession)
  async promote({ body }: Input<typeof things.promoteSession>, context: CallContext) {
    this.backing.note('promote', body, context);
    return { access_token: 'opened', refresh_token: body.text };
  }
  @Handles(things.renewSession)
  async renew({ body }: Input<typeof things.renewSession>, context: CallContext) {
    this.backing.note('renew', body, context);
    const { refresh_token: token } = body;
    if (token === undefined) throw new AppError('AUTHENTICATION_ERROR');
    if (isErrorReason(token)) throw new AppError(token);
    return { access_token: 'renewed', refresh_token: `${token}-next` };
  }
  @Handles(things.endSession)
  async end({ body }: Input<typeof things.endSession>, context: CallContext) {
    this.backing.note('end', body, context);
    if (body.refresh_token === 'bug') throw new Error('a fault');
  }
}

/** Five items in all; the position is the last number. */
function page({
  limit,
  cursor,
  colour,
}: {
  limit: number;
  cursor?: string;
  colour?: string;
}): things.ThingPage {
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

@Module({
  imports: [RedisModule.forRoot(BackingConfig)],
  providers: [Backing, AuthHandlers, ReportingHandlers, VaultHandlers, ThingHandlers, SessionHandlers],
})
class BackingModule {}

/** Answers, over real NATS, what the gateway asks of auth, reporting, vaults and the service of `things`. */
export const backingService = defineService({ name: 'things', config: BackingConfig, module: BackingModule });
