import type { CallInput, Operation, PublicSpec, Reply } from '@vaultsvc/contracts';
import { createVault, unsealVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded, type ApiResponse, type Api } from '@vaultsvc/testing/http';

/** A new vault for a journey, with calls that send its Vault Access Token. */
export interface UnsealedVault {
  readonly vault_id: string;
  /** The header with the Vault Access Token. */
  readonly token: Record<string, string>;
  call<S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<ApiResponse<Reply<S>>>;
  /** Returns the data of a call that must succeed. */
  get<S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<Reply<S>>;
  /** Returns status, code and message of a refusal as one text. */
  refusal<S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<string>;
}

export async function createUnsealedVault(client: Api): Promise<UnsealedVault> {
  const made = await client.call(createVault, { body: { name: newId('vault_') } });
  const { vault_id, vmk } = succeeded(made);
  const input = { params: { vault_id }, body: { vmk, ttl_seconds: 3_600 } };
  const { vat } = succeeded(await client.call(unsealVault, input));
  const token = { 'X-Vault-Access-Token': vat };
  return {
    vault_id,
    token,
    call: (op, input) => client.call(op, input, token),
    get: async (op, input) => succeeded(await client.call(op, input, token)),
    refusal: async (op, input) => {
      const { status, error } = await client.call(op, input, token);
      return `${status} ${error?.code}: ${error?.message}`;
    },
  };
}
