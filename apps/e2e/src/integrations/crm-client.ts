import { createHmac } from 'node:crypto';
import { connectCrma, connectCrmb } from '@vaultsvc/contracts/integrations';
import { createVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { retryRateLimited, succeeded } from '@vaultsvc/testing/http';
import type { Platform } from '@vaultsvc/tools-testing/platform';
import { SignJWT } from 'jose';
import type { Tenant } from '../access/tenant.js';

export type CrmApp = 'crma' | 'crmb';

/** The response to a request of a CRM. */
export interface CrmResponse {
  readonly status: number;
  readonly data?: any; // oxlint-disable-line typescript/no-explicit-any -- of several operations
  readonly code?: string;
}

/** The signature or bearer of a request: query parameters and headers. */
interface Credentials {
  readonly query: string;
  readonly headers: Record<string, string>;
}

/** An installed CRM, whose people work with records. */
export class CrmClient {
  /** Makes the query unique: equal requests of one millisecond would be repetitions. */
  #count = 0;

  private constructor(
    private readonly platform: Platform,
    readonly app: CrmApp,
    /** The portal or org. */
    readonly remoteId: string,
    readonly vault: { readonly vault_id: string; readonly vmk: string },
    /** With which the org signs its sessions; of crmb alone. */
    readonly sessionSecret = '',
  ) {}

  /** @param shared a vault of the tenant; a new one by default */
  static async connect(tenant: Tenant, app: CrmApp, shared?: CrmClient['vault']): Promise<CrmClient> {
    const vault = shared ?? (await CrmClient.newVault(tenant));
    const code = `local-ok-${newId('code_')}`;
    const body = { code, redirect_uri: 'https://app.example.com/callback', vault_id: vault.vault_id };
    if (app === 'crma') {
      const { portal_id } = succeeded(await tenant.owner.call(connectCrma, { body }));
      return new CrmClient(tenant.platform, app, portal_id, vault);
    }
    const { org_id, session_secret } = succeeded(await tenant.owner.call(connectCrmb, { body }));
    return new CrmClient(tenant.platform, app, org_id, vault, session_secret);
  }

  static async newVault(tenant: Tenant): Promise<CrmClient['vault']> {
    return succeeded(await tenant.owner.call(createVault, { body: { name: newId('vault_') } }));
  }

  /** A request of a person, signed as the CRM does. */
  async request(path: string, body: object, user = '101'): Promise<CrmResponse> {
    const own = this.app === 'crma' ? { portal_id: this.remoteId } : { org_id: this.remoteId };
    return this.send(
      path,
      { ...own, user_id: user, ...body },
      await this.signature(path, { ...own, user_id: user, ...body }, user),
    );
  }

  /** The query and headers of a request of a person. */
  async signature(path: string, body: object, user = '101'): Promise<Credentials> {
    if (this.app === 'crmb')
      return { query: '', headers: { Authorization: `Bearer ${await this.session(user)}` } };
    const person = `?userId=${user}&portalId=${this.remoteId}&userEmail=a%40b.com&appId=54321&n=${++this.#count}`;
    const query = path === 'webhooks' ? '' : person;
    const timestamp = String(Date.now());
    const uri = `${this.platform.apiOrigin}/v1/apps/crma/${path}${query.replace('%40', '@')}`;
    const key = this.platform.providers.settings['CRMA_CLIENT_SECRET'] as string;
    const signature = createHmac('sha256', key)
      .update(`POST${uri}${JSON.stringify(body)}${timestamp}`)
      .digest('base64');
    return { query, headers: { 'X-Crma-Request-Timestamp': timestamp, 'X-Crma-Signature-V3': signature } };
  }

  /** A session of the org, for crmb. */
  session(
    user: string,
    {
      orgId = this.remoteId,
      seconds = 300,
      secret = this.sessionSecret,
      audience = this.platform.apiOrigin,
      claims = {},
    } = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({ aud: audience, iat: now, org_id: orgId, user_id: user, ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(now + seconds)
      .sign(Buffer.from(secret));
  }

  /** A refusal of the limiters precedes the record of signatures and tickets, so that the same request can be sent again. */
  send(path: string, body: object, signed: Credentials): Promise<CrmResponse> {
    return retryRateLimited(
      () => this.#sendOnce(path, body, signed),
      ({ status }) => status === 429,
    );
  }

  async #sendOnce(path: string, body: object, { query, headers }: Credentials): Promise<CrmResponse> {
    const response = await fetch(`${this.platform.url}/v1/apps/${this.app}/${path}${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    const { data, error } = (await response.json()) as { data?: unknown; error?: { code: string } };
    return { status: response.status, ...(error ? { code: error.code } : { data }) };
  }
}
