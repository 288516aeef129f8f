import type { ErrorReason } from './errors.js';
import type { PublicOperation } from './operation.js';

/**
 * The id of the vault whose access token a call needs, as the caller sent it: `{vault_id}` of the path, or the body's field
 * that `vatOf` names. undefined if the call needs no token. A value of another type is left to the validation of the body,
 * which reads the same own properties and refuses it.
 */
export function vaultOfCall(
  { access: { vat, vatOf } }: PublicOperation,
  params: Readonly<Record<string, string | undefined>>,
  body: unknown,
): string | undefined {
  if (!vat) return undefined;
  if (vatOf === undefined) return params['vault_id'] ?? '';
  const value = vatOf.split('.').reduce(ownProperty, body);
  return typeof value === 'string' ? value : undefined;
}

/** The error for a vault id that no vault can have: that of an unknown vault, or resource below it. */
export function unknownVaultReason({ access, unknown }: PublicOperation): ErrorReason {
  if (access.vatOf !== undefined) return 'VAULT_NOT_FOUND';
  return unknown === 'no-content' ? 'NOT_FOUND' : (unknown ?? 'NOT_FOUND');
}

function ownProperty(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
