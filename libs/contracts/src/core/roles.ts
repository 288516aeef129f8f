import type { AccountContext } from './context.js';
import { AppError } from './errors.js';

/** 403 unless the caller is an admin, an owner or an API key, whose role is admin (AMB-17). */
export function assertAdmin({ credential }: AccountContext): void {
  if (credential.role === 'member') throw new AppError('ROLE_REQUIRED');
}
