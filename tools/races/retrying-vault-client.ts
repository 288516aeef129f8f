import { setTimeout as delay } from 'node:timers/promises';
import type { CallInput, Operation, PublicSpec, Reply } from '@vaultsvc/contracts';
import { createVault, unsealVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded, type ApiResponse, type Api } from '@vaultsvc/testing/http';

const PATIENCE_SECONDS = 90;
const RETRY_MS = 200;

/** How a download ended. `cut`: the connection broke, or Forge was away. */
export type ReadEnd = 'equal' | 'other' | 'refused' | 'cut';

/** An open vault, used by somebody who tries again for as long as servers are away. */
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

  /** The first answer that speaks of the request and not of a server that is away. */
  async ask<S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<ApiResponse<Reply<S>>> {
    const end = Date.now() + PATIENCE_SECONDS * 1_000;
    for (;;) {
      const answer = await this.caller
        .call(op, input, { 'X-Vault-Access-Token': this.vat })
        .catch(orIfConnected);
      if (answer && answer.status < 500 && answer.status !== 429) return answer;
      if (Date.now() > end) throw new Error(`${op.name} is not answered within ${PATIENCE_SECONDS} s`);
      await delay(RETRY_MS);
    }
  }

  /** Asks again until it is granted. */
  async get<S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<Reply<S>> {
    return succeeded(await this.ask(op, input));
  }
}

/** The gateway itself is never killed, but its connections may be cut while a machine is this busy. */
function orIfConnected(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ECONNRESET' && code !== 'ECONNREFUSED') throw error;
}

/** Reads a URL and compares what comes while it comes: a download that is cut must have been right so far. */
export async function readAndCompare(url: string, expected: Buffer): Promise<ReadEnd> {
  let seen = 0;
  try {
    const answer = await fetch(url);
    if (answer.status === 401) return 'refused';
    if (answer.status !== 200 || !answer.body) return 'cut';
    for await (const part of answer.body) {
      if (!expected.subarray(seen, seen + part.length).equals(part)) return 'other';
      seen += part.length;
    }
  } catch {
    return 'cut';
  }
  return seen === expected.length ? 'equal' : 'cut';
}
