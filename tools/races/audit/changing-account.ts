import type { CallInput, Event, Operation, PublicSpec, Reply } from '@vaultsvc/contracts';
import {
  completeSignup,
  createApiKey,
  verifyIdentity,
  type OpenedSession,
  type SignInSession,
} from '@vaultsvc/contracts/auth';
import { readAuditIntegrity, recordAppEvent, type AuditIntegrity } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import type { DnsServer } from '@vaultsvc/testing/dns';
import { api, succeeded, type Api, type ApiResponse } from '@vaultsvc/testing/http';
import { identityAt } from '@vaultsvc/tools-testing/identity-client';
import { ignoreBrokenConnection, type ChangeLog } from './change-log.js';
import { Resources } from './resources.js';

/** The fields of `stack.json` that callers use. */
export interface Origins {
  readonly api_url: string;
  readonly link_url: string;
  readonly oidc: { readonly issuer: string; readonly client_id: string; readonly redirect_uri: string };
}

/** The resources that all accounts of a race share. */
export interface Surroundings {
  readonly origins: Origins;
  /** The name server of domain claims. */
  readonly dns: DnsServer;
  /** Lets a Spark expire now instead of waiting (OPEN-63). Never rejects. */
  readonly expire: (sparkId: string) => Promise<void>;
  readonly log: ChangeLog;
  readonly random: () => number;
}

export interface OpenVault {
  readonly vaultId: string;
  readonly vmk: string;
  /** The header with a Vault Access Token, which a seal of the vault ends. */
  readonly token: Readonly<Record<string, string>>;
}

export interface Placed {
  readonly vault: OpenVault;
  readonly id: string;
}

/** A signed-up account with the resources that its callers have created, and with calls whose outcomes are recorded. */
export class ChangingAccount {
  readonly apiKeys = this.#resources<string>();
  readonly users = this.#resources<string>();
  readonly sessions = this.#resources<OpenedSession>();
  readonly domains = this.#resources<string>();
  readonly sparks = this.#resources<string>();
  readonly links = this.#resources<{ readonly sparkId: string; readonly code: string }>();
  readonly vaults = this.#resources<OpenVault>();
  readonly dvaks = this.#resources<Placed & { readonly dvakToken: string }>();
  readonly folders = this.#resources<Placed>();
  readonly ingots = this.#resources<Placed>();
  readonly shared = this.#resources<Placed>();
  readonly structured = this.#resources<Placed & { readonly name: string }>();

  readonly #client: Api;

  private constructor(
    readonly around: Surroundings,
    private readonly email: string,
    private readonly apiKey: string,
  ) {
    this.#client = api(around.origins.api_url, { key: apiKey });
  }

  /** Signs up a new organization. Call it before servers are killed. */
  static async signUp(around: Surroundings): Promise<ChangingAccount> {
    const email = `${newId('owner_')}@race.example`;
    const { api_url } = around.origins;
    const { access_token } = succeeded(await verify(around.origins, email));
    const body = { organization_name: 'Race' };
    const owner = succeeded(await api(api_url, { jwt: access_token }).call(completeSignup, { body }));
    const session = api(api_url, { jwt: owner.access_token });
    const { api_key } = succeeded(await session.call(createApiKey, { body: { name: 'race' } }));
    return new ChangingAccount(around, email, api_key);
  }

  /** Makes a call with the key of the account, whose success publishes the event. Undefined: see `ChangeLog.record`. */
  change<S extends PublicSpec>(
    event: Event,
    op: Operation<S>,
    input: CallInput<S>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ApiResponse<Reply<S>> | undefined> {
    return this.around.log.record(event, op, this.#client.call(op, input, { ...headers }));
  }

  /** The same with a credential of its own, or without one, for sessions and visitors. */
  changeAs<S extends PublicSpec>(
    client: Api,
    event: Event,
    op: Operation<S>,
    input: CallInput<S>,
  ): Promise<ApiResponse<Reply<S>> | undefined> {
    return this.around.log.record(event, op, client.call(op, input));
  }

  /** A client with the access token of a session. */
  clientOf({ access_token: jwt }: OpenedSession): Api {
    return api(this.around.origins.api_url, { jwt });
  }

  /** Signs in as a person, the owner by default. */
  signIn(event: Event, email = this.email): Promise<ApiResponse<SignInSession> | undefined> {
    return this.around.log.record(event, verifyIdentity, verify(this.around.origins, email));
  }

  /** Adds an entry of an integration to the audit log. */
  recordAppEvent(metadata: object): Promise<void> {
    const body = { app_slug: 'crma', event_type: 'race', metadata: { ...metadata } };
    return this.around.log.recordEntry(this.#client.call(recordAppEvent, { body }));
  }

  async integrity(): Promise<AuditIntegrity> {
    return succeeded(await this.#client.call(readAuditIntegrity, {}));
  }

  /** The whole audit log as JSON Lines, with the proof that the log continues its first `fromSize` leaves. */
  async exportAudit(fromSize: number): Promise<string> {
    const url = `${this.around.origins.api_url}/v1/audit-logs/export?from_size=${fromSize}`;
    const response = await fetch(url, { headers: { 'X-API-Key': this.apiKey } });
    if (!response.ok) throw new Error(`the export was answered ${response.status}`);
    return response.text();
  }

  /** Signs in a person without an account, which publishes no event. Undefined when that fails. */
  identify(email: string): Promise<SignInSession | undefined> {
    return this.prepare(verify(this.around.origins, email));
  }

  /** The data of a call that changes nothing itself. Undefined when it fails. */
  async prepare<T>(call: Promise<ApiResponse<T>>): Promise<T | undefined> {
    return (await call.catch(ignoreBrokenConnection))?.data;
  }

  #resources<T>(): Resources<T> {
    return new Resources<T>(() => this.around.random());
  }
}

async function verify({ api_url, oidc }: Origins, email: string): Promise<ApiResponse<SignInSession>> {
  const { issuer, client_id: clientId, redirect_uri: redirectUri } = oidc;
  const token = await identityAt({ issuer, clientId, redirectUri }).idToken({ email });
  return api(api_url).call(verifyIdentity, { body: { token } });
}
