import { AppError, type AccountContext } from '@vaultsvc/contracts';

/** 403 unless the caller is an admin, an owner or an API key, whose role is admin (AMB-17). */
export function assertAdmin({ credential }: AccountContext): void {
  if (credential.role === 'member') throw new AppError('ROLE_REQUIRED');
}

/** Who did it: the user, or the API key where there is none. */
export function actorOf({ credential }: AccountContext): string {
  return credential.userId ?? credential.credentialId;
}
