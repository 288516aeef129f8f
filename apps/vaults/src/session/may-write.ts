import { AppError, type VaultContext } from '@vaultsvc/contracts';

/** The gateway has asked already (OPEN-61); whoever calls past it is refused here. */
export function assertMayWrite({ vault }: VaultContext): void {
  if (vault.accessLevel !== 'read_write') throw new AppError('VAT_READ_ONLY');
}
