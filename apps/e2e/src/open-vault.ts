import type { CallInput, Operation, PublicSpec, Reply } from '@vaultsvc/contracts';
import { createVault, unsealVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded, type ApiResponse, type Api } from '@vaultsvc/testing/http';

/** A vault of its own for a journey, and what is called with the token that opens it. */
export interface OpenVault {
  readonly vault_id: string;
  /** The header that opens it. */
  readonly token: Record<string, string>;
  call<S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<ApiResponse<Reply<S>>>;
  /** The data of an answer that must be a success. */
  get<S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<Reply<S>>;
  /** Status, code and message of a refusal, as one text. */
  refusal<S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<string>;
}

export async function openNewVault(client: Api): Promise<OpenVault> {
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
