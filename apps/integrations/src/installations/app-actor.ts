import type { Actor } from '@vaultsvc/contracts';
import type { AppId } from '@vaultsvc/contracts/integrations';
import type { Installation } from './installation.repository.js';

/** What the provider of an integration calls the place where it is installed. */
const places = { chatapp: 'team', crma: 'portal', crmb: 'org' } as const satisfies Record<AppId, keyof Actor>;

/**
 * The integration as the actor of what a person of its provider asks for (OPEN-28), who has no account here. null: the
 * provider named nobody.
 */
export function appActorOf(
  { appId, remoteId }: Pick<Installation, 'appId' | 'remoteId'>,
  person: string | null,
): Actor {
  return {
    kind: 'app',
    id: appId,
    app: appId,
    ...(remoteId !== null && { [places[appId]]: remoteId }),
    person,
  };
}
