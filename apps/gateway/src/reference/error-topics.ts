import { errorReasons, publicReason, type ErrorReason } from '@vaultsvc/contracts';

/** The reasons of a topic, in the order of the table. */
export interface ErrorTopic {
  readonly title: string;
  readonly reasons: readonly ErrorReason[];
}

/** The titles, each with its first reason: a topic ends where the next one begins, so a new reason needs no line here. */
const titles: Partial<Readonly<Record<ErrorReason, string>>> = {
  VALIDATION_ERROR: 'Every request',
  IDENTITY_REFUSED: 'Sign-in and sessions',
  INVITATION_NOT_FOUND: 'People',
  DOMAIN_NOT_FOUND: 'Claimed domains',
  APP_NOT_FOUND: 'Integrations',
  API_KEY_NOT_FOUND: 'API keys',
  SPARK_NOT_FOUND: 'Sparks',
  SPARKLINK_NOT_FOUND: 'Links and sharing',
  SEND_NOT_FOUND: 'Notifications',
  VAULT_NOT_FOUND: 'Vaults',
  FOLDER_NOT_FOUND: 'Folders',
  INGOT_NOT_FOUND: 'Ingots',
  ENTROPY_UNAVAILABLE: 'Entropy',
  SUBSCRIPTION_CHANGED: 'Billing',
  ISTK_MISSING: 'Transfers',
};

/** All reasons that callers see, by topic. */
export function errorTopics(): readonly ErrorTopic[] {
  const topics: { title: string; reasons: ErrorReason[] }[] = [];
  for (const reason of Object.keys(errorReasons) as ErrorReason[]) {
    const title = titles[reason];
    if (title !== undefined) topics.push({ title, reasons: [] });
    if (publicReason(reason) === reason) topics.at(-1)?.reasons.push(reason);
  }
  return topics;
}
