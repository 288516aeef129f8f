import { analytics, usage } from './analytics.js';
import { apps, chat, crmConnections } from './apps.js';
import { audit } from './audit.js';
import { payments, subscriptions } from './billing.js';
import { crm, panels } from './crm.js';
import { entropy } from './entropy.js';
import { folders, ingots } from './ingots.js';
import { links } from './links.js';
import { pushTokens, recipients, sends } from './notify.js';
import { deployment, pages, sharedFiles } from './pages.js';
import { domains, people, selves } from './people.js';
import type { Law, Row } from './row.js';
import type { Route } from './notation.js';
import { apiKeys, sessions } from './sessions.js';
import { sharingOfIngots } from './sharing.js';
import { sparks } from './sparks.js';
import { structured } from './structured.js';
import { transfers } from './transfers.js';
import { dvaks, vaults } from './vaults.js';

const laws: readonly Law[] = [
  ...[sessions, apiKeys, selves, people, domains, deployment],
  ...[sparks, links, pages, entropy],
  ...[vaults, dvaks, folders, ingots, sharingOfIngots, structured, transfers],
  ...[sends, recipients, pushTokens],
  ...[analytics, usage, audit, subscriptions, payments],
  ...[apps, chat, crmConnections, crm, panels],
];

/** A row with its method and path. */
export type RoutedRow = Row & { readonly route: Route };

/** The golden table: a row for every public operation. */
export const rows: readonly RoutedRow[] = laws.flatMap((law) =>
  Object.entries(law).map(([route, row]) => ({ route: route as Route, ...row })),
);

/** Operations that the requirements decide and the product lacks. An entry leaves with the operation's arrival. */
export const missing: readonly RoutedRow[] = Object.entries(sharedFiles).map(([route, row]) => ({
  route: route as Route,
  ...row,
}));
