import type { BadgeKind } from '../../ui/list.js';
import type { App } from './use-apps.js';

export type AppState = 'connected' | 'unconnected' | 'suspended' | 'absent';

/** The state of an integration for the organization. An installation without a workspace has no consent of the provider. */
export function stateOf({ status, remote_id: remote }: Pick<App, 'status' | 'remote_id'>): AppState {
  if (status === 'not_installed') return 'absent';
  if (status === 'suspended') return 'suspended';
  return remote === null ? 'unconnected' : 'connected';
}

export const badges: Record<AppState, BadgeKind> = {
  connected: 'good',
  unconnected: 'warn',
  suspended: 'bad',
  absent: 'plain',
};

/** Whether the provider can be asked for its consent now: crma has to be disconnected before (APP-22). */
export const canConnect = ({ app_id: appId, status }: Pick<App, 'app_id' | 'status'>): boolean =>
  status === 'not_installed' || appId !== 'crma';
