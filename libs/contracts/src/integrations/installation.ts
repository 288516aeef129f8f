import { Actor, ExactActor } from '../core/actor.js';
import { event } from '../core/event.js';
import { Example } from '../core/example.js';
import {
  EpochSeconds,
  Flag,
  HttpsUrl,
  IdOf,
  JsonObject,
  ListOf,
  MapOf,
  Nested,
  OneOf,
  Text,
  TextList,
} from '../core/fields.js';
import { operation } from '../core/operation.js';
import { ActorField } from '../auth/account.js';
import { appIds, AppParams, type AppId } from './app.js';

/** Largest settings of one installation, in bytes of JSON text. */
export const APP_SETTINGS_BYTES_MAX = 8_192;

const RemoteId = (options: { optional?: boolean; nullable?: boolean }) =>
  Text({
    ...options,
    min: 1,
    max: 128,
    description: 'The workspace, portal or org of the provider. One account at a time can be bound to it.',
  });

/** The price of one operation of an integration, as its catalog entry shows it. */
export class OperationPrice {
  @Text({ max: 64, description: 'The pools that the operation draws from, or `free`.' }) price: string;
  @Text({ max: 255 }) description: string;
}

/** Prices of an integration. */
@Example({
  operations: {
    upload: { price: 'storage, bandwidth', description: 'The bytes of the file.' },
    download: { price: 'bandwidth', description: 'The bytes of the file.' },
    list: { price: 'free', description: 'Lists, deletes and unseals cost nothing.' },
  },
  description: 'Included in every plan; files draw from the pools of the account.',
})
export class AppPricing {
  @MapOf(() => OperationPrice, { description: 'By operation.' }) operations: Record<string, OperationPrice>;
  @Text({ max: 255 }) description: string;
}

/** How pages of an integration name the account. */
@Example({ logo_url_light: null, logo_url_dark: null })
export class AppAccount {
  @Text({ max: 255 }) organization_name: string;
  @HttpsUrl({ nullable: true }) logo_url_light: string | null;
  @HttpsUrl({ nullable: true }) logo_url_dark: string | null;
}

/** An integration and its installation in the account of the caller (D2 2). */
@Example({
  app_id: 'crma',
  settings: { language: 'en' },
  remote_id: '62515000',
  name: 'CRM A',
  description: 'Keep encrypted files on the records of the CRM, one folder for each record.',
  features: [
    'A file panel on every record',
    'One folder for each record',
    'Access by master or delegated key',
  ],
})
export class App {
  @OneOf(appIds) app_id: AppId;
  @OneOf(['active', 'suspended', 'not_installed'], {
    description:
      'suspended: its installer has left, and no owner could take over. Change or connect it to go on.',
  })
  status: 'active' | 'suspended' | 'not_installed';
  @Flag() installed: boolean;
  @EpochSeconds({ nullable: true, description: 'null: not installed.' }) installed_at: number | null;
  @JsonObject({ bytesMax: APP_SETTINGS_BYTES_MAX }) settings: Record<string, unknown>;
  @RemoteId({ nullable: true }) remote_id: string | null;
  @Text({ max: 64 }) name: string;
  @Text({ max: 500 }) description: string;
  @OneOf(['integrations']) category: 'integrations';
  @TextList({ maxItems: 20, max: 200 }) features: string[];
  @Nested(() => AppPricing) pricing: AppPricing;
  @Flag({ description: 'Whether the integration is connected by OAuth.' }) oauth_required: boolean;
  @Nested(() => AppAccount) account: AppAccount;
}

/** An installed integration, as the list shows it. */
@Example({ app_id: 'crma', settings: { language: 'en' } })
export class InstalledApp {
  @OneOf(appIds) app_id: AppId;
  @OneOf(['active', 'suspended']) status: 'active' | 'suspended';
  @EpochSeconds() installed_at: number;
  @JsonObject({ bytesMax: APP_SETTINGS_BYTES_MAX }) settings: Record<string, unknown>;
}

/** The integrations of an account, and those of the catalog. */
@Example({ available: ['chatapp', 'crma', 'crmb'] })
export class AppList {
  @ListOf(() => InstalledApp) installed: InstalledApp[];
  @TextList({ maxItems: 100, max: 64, description: 'The ids of all integrations, installed or not.' })
  available: AppId[];
}

/** Lists integrations (APP-01). */
export const listApps = operation({
  name: 'integrations.list-apps',
  summary: 'Lists the installed integrations, and the ids of all that can be installed.',
  http: { method: 'GET', path: '/v1/apps', status: 200 },
  access: { credential: 'key' },
  reply: AppList,
  repeatable: true,
});

/** Reads an integration, installed or not (APP-03, APP-04). */
export const readApp = operation({
  name: 'integrations.read-app',
  summary: 'Reads an integration and whether it is installed.',
  http: { method: 'GET', path: '/v1/apps/{app_id}', status: 200 },
  access: { credential: 'key' },
  params: AppParams,
  unknown: 'VALIDATION_ERROR',
  reply: App,
  errors: ['APP_NOT_FOUND'],
  repeatable: true,
});

/** Body of `installApp`. */
@Example({ settings: { language: 'en' } })
export class NewInstallation {
  @JsonObject({ bytesMax: APP_SETTINGS_BYTES_MAX, optional: true }) settings: Record<string, unknown> = {};
  @RemoteId({ optional: true }) remote_id?: string;
}

/** Installs an integration without connecting it to its provider (APP-26). */
export const installApp = operation({
  name: 'integrations.install-app',
  summary:
    'Installs an integration without connecting it to its provider; the OAuth callback of the integration does both.',
  http: { method: 'POST', path: '/v1/apps/{app_id}', status: 201 },
  idempotent: { id: 'app_id' },
  access: { credential: 'key', role: 'admin' },
  params: AppParams,
  unknown: 'VALIDATION_ERROR',
  body: NewInstallation,
  reply: App,
  errors: ['APP_NOT_FOUND', 'APP_INSTALLED', 'APP_REMOTE_TAKEN'],
});

/** Body of `updateApp`. */
@Example({ settings: { language: 'en' } })
export class InstallationChange {
  @JsonObject({
    bytesMax: APP_SETTINGS_BYTES_MAX,
    description: 'Merged key by key into the settings; null removes a key.',
  })
  settings: Record<string, unknown>;
  @RemoteId({ optional: true }) remote_id?: string;
}

/** Changes the settings of an installed integration (APP-13). */
export const updateApp = operation({
  name: 'integrations.update-app',
  summary: 'Merges settings into those of an installed integration.',
  http: { method: 'PUT', path: '/v1/apps/{app_id}', status: 200 },
  access: { credential: 'key', role: 'admin' },
  params: AppParams,
  unknown: 'VALIDATION_ERROR',
  body: InstallationChange,
  reply: App,
  errors: ['APP_NOT_FOUND', 'APP_NOT_INSTALLED', 'APP_CONNECTED', 'APP_REMOTE_TAKEN'],
});

/** Uninstalls an integration (APP-15). Its provider is disconnected; a later installation gets its settings back. */
export const deleteApp = operation({
  name: 'integrations.delete-app',
  summary:
    'Uninstalls an integration and disconnects its provider. Its settings are kept for a later installation.',
  http: { method: 'DELETE', path: '/v1/apps/{app_id}', status: 204 },
  access: { credential: 'key', role: 'admin' },
  params: AppParams,
  unknown: 'VALIDATION_ERROR',
  errors: ['APP_NOT_FOUND', 'APP_NOT_INSTALLED', 'APP_REQUIRED'],
});

/** Payload of changes of an installation. `actor_id` is the app if its provider caused it; `actor` then names the person. */
export class InstallationChanged {
  @IdOf('acc') account_id: string;
  @OneOf(appIds) app_id: AppId;
  @ActorField() actor_id: string;
  @ExactActor() actor?: Actor;
}

export const appInstalled = event({
  name: 'integrations.app-installed',
  payload: InstallationChanged,
  consumers: ['reporting'],
});
export const appUpdated = event({
  name: 'integrations.app-updated',
  payload: InstallationChanged,
  consumers: ['reporting'],
});
export const appUninstalled = event({
  name: 'integrations.app-uninstalled',
  payload: InstallationChanged,
  consumers: ['reporting'],
});
