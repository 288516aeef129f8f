import type { AccountContext } from './context.js';
import { AppError } from './errors.js';

/** 403 for the viewer seat, in any role; an API key has a full seat (AMB-18). */
export function assertFullSeat({ credential }: AccountContext): void {
  if (credential.seat === 'viewer') throw new AppError('FULL_SEAT_REQUIRED');
}

/** 403 unless the caller is an admin, an owner or an API key, whose role is admin (AMB-17). */
export function assertAdmin({ credential }: AccountContext): void {
  if (credential.role === 'member') throw new AppError('ROLE_REQUIRED');
}
