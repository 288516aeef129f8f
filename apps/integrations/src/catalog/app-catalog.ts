import type { App, AppId } from '@vaultsvc/contracts/integrations';
import { AppError } from '@vaultsvc/contracts';

/** What the catalog says of an integration, whoever installs it (OPEN-39). */
export interface CatalogEntry extends Pick<
  App,
  'name' | 'description' | 'category' | 'features' | 'pricing' | 'oauth_required'
> {
  /** Integrations that must be installed before this one, and stay as long as it. */
  readonly requires: readonly string[];
}

export type CatalogEntries = Readonly<Record<string, CatalogEntry>>;

const files = {
  upload: { price: 'storage, bandwidth', description: 'The bytes of the file.' },
  download: { price: 'bandwidth', description: 'The bytes of the file.' },
  list: { price: 'free', description: 'Lists, deletes and unseals cost nothing.' },
};

const entries: Readonly<Record<AppId, CatalogEntry>> = {
  chatapp: {
    name: 'Chat app',
    description: 'Send secrets from a chat that are destroyed when they have been read.',
    category: 'integrations',
    features: [
      'The command /secret, for people, channels and groups',
      'View & Destroy with a confirmation',
      'Expiry after 1 minute to 24 hours',
      'Usage by person and day',
    ],
    pricing: {
      operations: {
        send: {
          price: 'storage, bandwidth',
          description: 'The bytes of the secret, until it is read or expires.',
        },
        view: { price: 'free', description: 'Viewing is never refused for a plan or a pool.' },
      },
      description: 'Included in every plan; secrets draw from the pools of the account.',
    },
    oauth_required: true,
    requires: [],
  },
  crma: {
    name: 'CRM A',
    description: 'Keep encrypted files on the records of the CRM, one folder for each record.',
    category: 'integrations',
    features: [
      'A file panel on every record',
      'One folder for each record',
      'Access by master or delegated key',
    ],
    pricing: {
      operations: files,
      description: 'Included in every plan; files draw from the pools of the account.',
    },
    oauth_required: true,
    requires: [],
  },
  crmb: {
    name: 'CRM B',
    description: 'Keep encrypted files on the records of the CRM, one folder for each record.',
    category: 'integrations',
    features: [
      'A file panel on every record',
      'One folder for each record',
      'Access by master or delegated key',
      'Direct uploads',
    ],
    pricing: {
      operations: files,
      description: 'Included in every plan; files draw from the pools of the account.',
    },
    oauth_required: true,
    requires: [],
  },
};

/** The integrations that can be installed. */
export class AppCatalog {
  constructor(private readonly apps: CatalogEntries = entries) {}

  get ids(): AppId[] {
    return Object.keys(this.apps) as AppId[];
  }

  /** @throws APP_NOT_FOUND */
  entry(appId: string): CatalogEntry & { readonly appId: AppId } {
    const entry = Object.hasOwn(this.apps, appId) ? this.apps[appId] : undefined;
    if (!entry) throw new AppError('APP_NOT_FOUND');
    return { ...entry, appId: appId as AppId };
  }

  /** The integrations that need this one. */
  dependents(appId: string): readonly string[] {
    return this.ids.filter((id) => this.apps[id]?.requires.includes(appId));
  }
}
