import { setTimeout as delay } from 'node:timers/promises';
import type { CallInput, Operation, PublicSpec, Reply } from '@vaultsvc/contracts';
import { createVault, unsealVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded, type ApiResponse, type Api } from '@vaultsvc/testing/http';

const RETRY_SECONDS = 90;
const RETRY_MS = 200;

/** How a download ended. `interrupted`: the connection broke, or Forge was unavailable. */
export type DownloadOutcome = 'equal' | 'different' | 'refused' | 'interrupted';

/** A client of one unsealed vault that retries while servers are unavailable, for 90 seconds at most. */
export class RetryingVaultClient {
  private constructor(
    private readonly caller: Api,
    readonly vaultId: string,
    private readonly vat: string,
  ) {}

  static async open(apiUrl: string, key: string): Promise<RetryingVaultClient> {
    const caller = api(apiUrl, { key });
    const vault = succeeded(await caller.call(createVault, { body: { name: newId('vault_') } }));
    const params = { vault_id: vault.vault_id };
    const body = { vmk: vault.vmk, ttl_seconds: 86_400 };
    const { vat } = succeeded(await caller.call(unsealVault, { params, body }));
    return new RetryingVaultClient(caller, vault.vault_id, vat);
  }

  /** Retries until the answer is neither 429 nor a server error. */
  async send<S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<ApiResponse<Reply<S>>> {
    const end = Date.now() + RETRY_SECONDS * 1_000;
    for (;;) {
      const answer = await this.caller
        .call(op, input, { 'X-Vault-Access-Token': this.vat })
        .catch(ignoreConnectionError);
      if (answer && answer.status < 500 && answer.status !== 429) return answer;
      if (Date.now() > end) throw new Error(`${op.name} was not answered within ${RETRY_SECONDS} s`);
      await delay(RETRY_MS);
    }
  }

  /**
   * Like `send`, for calls that must succeed.
   * @throws when the answer is an error
   */
  async call<S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<Reply<S>> {
    return succeeded(await this.send(op, input));
  }
}

/** The gateway itself is never killed, but an overloaded machine may reset its connections. */
function ignoreConnectionError(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ECONNRESET' && code !== 'ECONNREFUSED') throw error;
}

/** Downloads a URL and compares its content part by part, so that an interrupted download is compared as well. */
export async function compareDownload(url: string, expected: Buffer): Promise<DownloadOutcome> {
  let seen = 0;
  try {
    const answer = await fetch(url);
    if (answer.status === 401) return 'refused';
    if (answer.status !== 200 || !answer.body) return 'interrupted';
    for await (const part of answer.body) {
      if (!expected.subarray(seen, seen + part.length).equals(part)) return 'different';
      seen += part.length;
    }
  } catch {
    return 'interrupted';
  }
  return seen === expected.length ? 'equal' : 'interrupted';
}
