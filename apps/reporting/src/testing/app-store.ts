import type { AppStore } from '@vaultsvc/tools-testing/app-store';

const DAY_MS = 86_400_000;

/** A subscription that was bought in the App Store, and ends in 30 days. */
export const bought = {
  bundleId: 'com.example.vault',
  environment: 'Production',
  type: 'Auto-Renewable Subscription',
  productId: 'team.monthly',
  expiresDate: Date.now() + 30 * DAY_MS,
};

/** The settings of a service that sells its product. */
export function appStoreSettings({ root }: AppStore): Record<string, string> {
  return {
    APPLE_ROOT_CERTIFICATES: root,
    APPLE_BUNDLE_ID: bought.bundleId,
    APPLE_PRODUCTS: 'team.monthly=team,business.monthly=business',
  };
}
