import { analytics } from './analytics.js';
import { apiKeys } from './api-keys.js';
import { apps } from './apps.js';
import { audit } from './audit.js';
import { subscriptions } from './billing.js';
import { chat, crmConnections } from './connections.js';
import { crm, panels } from './crm.js';
import { domains } from './domains.js';
import { dvaks } from './dvaks.js';
import { entropy } from './entropy.js';
import { folders } from './folders.js';
import { ingots } from './ingots.js';
import { links } from './links.js';
import type { Route } from './notation.js';
import { conversations, sends } from './notify.js';
import { deployment, pages, sharedFiles } from './pages.js';
import { payments } from './payments.js';
import { people, selves } from './people.js';
import { pushTokens, recipients } from './recipients.js';
import type { Law, Row } from './row.js';
import { sessions } from './sessions.js';
import { sharingOfIngots } from './sharing.js';
import { sparks } from './sparks.js';
import { structured } from './structured.js';
import { transfers } from './transfers.js';
import { usage } from './usage.js';
import { vaults } from './vaults.js';

const laws: readonly Law[] = [
  ...[sessions, apiKeys, selves, people, domains, deployment],
  ...[sparks, links, pages, sharedFiles, entropy],
  ...[vaults, dvaks, folders, ingots, sharingOfIngots, structured, transfers],
  ...[sends, conversations, recipients, pushTokens],
  ...[analytics, usage, audit, subscriptions, payments],
  ...[apps, chat, crmConnections, crm, panels],
];

/** A row with its method and path. */
export type RoutedRow = Row & { readonly route: Route };

/** The golden table: a row for every public operation. */
export const rows: readonly RoutedRow[] = laws.flatMap((law) =>
  Object.entries(law).map(([route, row]) => ({ route: route as Route, ...row })),
);
