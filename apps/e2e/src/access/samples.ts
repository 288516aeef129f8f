import type { CallInput, Operation, PublicOperation, PublicSpec } from '@vaultsvc/contracts';
import * as auth from '@vaultsvc/contracts/auth';
import { readDeployment, readHealth } from '@vaultsvc/contracts/gateway';
import * as integrations from '@vaultsvc/contracts/integrations';
import * as notify from '@vaultsvc/contracts/notify';
import * as reporting from '@vaultsvc/contracts/reporting';
import * as sparks from '@vaultsvc/contracts/sparks';
import * as vaults from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded, type Credentials } from '@vaultsvc/testing/http';
import { mintApiKey, mintSession } from '@vaultsvc/tools-testing/accounts';
import {
  crmApp,
  crmRecord,
  installedApp,
  installedOnly,
  newChatConnection,
  newCrmConnection,
  newInstallation,
  newPanelFile,
  panelFile,
  uninstalledApp,
} from './app-samples.js';
import { accountWithAudit, appWithAudit, ingotWithAudit, newAppEvent } from './audit-samples.js';
import {
  newOneTimeLink,
  newSharing,
  sharedFileCode,
  sharedWithInvite,
  vaultWithSharing,
} from './sharing-samples.js';
import {
  authenticatedLinkCode,
  newIdentity,
  newSpark,
  passkeyAnswer,
  passkeyLinkCode,
  publicLinkCode,
  publicSharing,
  sharedSpark,
  sharedWithOne,
  verificationCode,
} from './link-samples.js';
import {
  failedDelivery,
  newPreferences,
  newPushToken,
  newSend as newNotification,
  newConversation,
  newSendId,
  openedGrant,
  pushToken,
  suppression,
  unsubscribeToken,
} from './notify-samples.js';
import type { Tenant } from './tenant.js';
import {
  newDvak,
  newFolder,
  newIngot,
  newStructured,
  newVault,
  openVault,
  SAMPLE_KEY,
  vault,
  vaultAndKey,
  vaultWithDvaks,
  vaultWithFolders,
  vaultWithIngots,
  vaultWithStructured,
} from './vault-samples.js';

/** The Vault Access Token for an input, where the operation needs an unsealed vault. */
export interface VaultAccess {
  readonly headers?: Record<string, string>;
  /** Mints a read-only token for the same vault. */
  readonly readerHeaders?: () => Promise<Record<string, string>>;
}

/** The token of a sample input. */
export const vaultAccessOf = (input: object): VaultAccess => input;

/** The address of the invited person who alone may make the call. */
export interface Invited {
  readonly invitee?: string;
}

/** The invited person of a sample input. */
export const inviteeOf = (input: object): string | undefined => (input as Invited).invitee;

/** A resource of one user; `ofUser` makes that of another user, who alone may use it. */
interface Personal {
  readonly userId?: string;
  readonly ofUser?: (userId: string) => Promise<Readonly<Record<string, string>>>;
}

/** The input with a resource of the user of these credentials, if it is of one person. */
export async function inputOfUser<I extends object>(input: I, { jwt = '' }: Credentials): Promise<I> {
  const { userId, ofUser } = input as Personal;
  if (!ofUser) return input;
  const { sub } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  return sub === userId ? input : { ...input, params: await ofUser(sub) };
}

/** Creates the input of one successful call, with the resources that it needs: a Spark to delete, a key to revoke. */
export type Sample = (tenant: Tenant) => Promise<object>;

/**
 * The sample of an operation.
 * @throws with instructions when there is none
 */
export function sampleOf({ name }: PublicOperation): Sample {
  const sample = samples.get(name);
  if (sample) return sample;
  throw new Error(
    `${name} has no sample: add a line to the table in apps/e2e/src/access/samples.ts that creates the input of a successful call`,
  );
}

const user = async ({ platform, accountId }: Tenant) => {
  const { subject } = await mintSession(platform.auth, { accountId, role: 'member' });
  return { user_id: subject };
};

const invitation = async ({ owner }: Tenant) => {
  const invitee = email();
  const { user_id } = succeeded(await owner.call(auth.inviteUser, { body: { email: invitee, ...member } }));
  return { params: { invitation_id: user_id }, invitee };
};

/** Another session of the owner, or of another caller. */
const ownSession = async ({ platform, accountId, ownerSession }: Tenant) => {
  const open = async (userId: string) => {
    const { sessionId } = await mintSession(platform.auth, { accountId, userId });
    return { session_id: sessionId };
  };
  const userId = ownerSession.subject;
  return { params: await open(userId), userId, ofUser: open };
};

const apiKey = async ({ platform, accountId }: Tenant) => {
  const { apiKeyId } = await mintApiKey(platform.auth, { accountId });
  return { api_key_id: apiKeyId };
};

const refreshToken = async ({ platform, accountId }: Tenant) => {
  const { refreshToken: refresh_token } = await mintSession(platform.auth, { accountId });
  return { refresh_token };
};

const spark = async ({ owner }: Tenant) => {
  const { spark_id } = succeeded(await owner.call(sparks.createSpark, { body: newSpark() }));
  return { spark_id };
};

const newSubscription = () => ({ plan: 'default', seats: 0, storage_blocks: 1, bandwidth_blocks: 0 });

/** An open invoice. */
const invoice = async ({ owner }: Tenant) => {
  const started = succeeded(await owner.call(reporting.startSubscription, { body: newSubscription() }));
  return { invoice_id: String(started.invoice?.invoice_id) };
};

const paymentMethod = async ({ owner }: Tenant) => {
  const body = { label: 'Sample' };
  const { payment_method_id } = succeeded(await owner.call(reporting.addPaymentMethod, { body }));
  return { payment_method_id };
};

const newDomain = () => `${newId('d_').slice(2).toLowerCase()}.example`;

/** A domain whose TXT record exists. */
const provenDomain = async ({ platform, owner }: Tenant) => {
  const domain = newDomain();
  const { txt_name, txt_value } = succeeded(await owner.call(auth.challengeDomain, { body: { domain } }));
  platform.dns.setTxt(txt_name, txt_value);
  return { domain };
};

const claimedDomain = async (tenant: Tenant) => {
  const body = await provenDomain(tenant);
  succeeded(await tenant.owner.call(auth.claimDomain, { body }));
  return body;
};

const email = () => `${newId('mail_')}@example.test`;

const member = { role: 'member', seat: 'viewer' } as const;
const page = { limit: 10 };
const ingotList = { limit: 10, sort_by: 'name', sort_order: 'asc' } as const;
const ingotSearch = { limit: 10, sort_by: 'created_at', sort_order: 'desc' } as const;

const samples: ReadonlyMap<string, Sample> = new Map([
  sample(readDeployment, () => ({})),
  sample(readHealth, () => ({})),

  sample(auth.exchangeCode, async ({ platform }) => ({
    query: {},
    body: await platform.identity.code({ email: email() }),
  })),
  sample(auth.verifyIdentity, async ({ platform }) => ({
    body: { token: await platform.identity.idToken({ email: email() }) },
  })),
  sample(auth.completeSignup, () => ({ body: { organization_name: 'Sample organization' } })),
  sample(auth.acceptInvitation, invitation),
  sample(auth.declineInvitation, invitation),
  sample(auth.refreshSession, async (tenant) => ({ body: await refreshToken(tenant) })),
  sample(auth.endSession, async (tenant) => ({ body: await refreshToken(tenant) })),
  sample(auth.mintViewerToken, () => ({})),
  sample(auth.readJwks, () => ({})),

  sample(auth.readMe, () => ({})),
  sample(auth.listSessions, () => ({})),
  sample(auth.revokeSession, ownSession),
  sample(auth.readProfile, () => ({})),
  sample(auth.updateProfile, () => ({ body: { name: 'Zoë' } })),

  sample(auth.listUsers, () => ({ query: page })),
  sample(auth.inviteUser, () => ({ body: { email: email(), ...member } })),
  sample(auth.resendInvitation, async (tenant) => {
    const { params } = await invitation(tenant);
    return { params: { user_id: params.invitation_id } };
  }),
  sample(auth.updateUser, async (tenant) => ({ params: await user(tenant), body: member })),
  sample(auth.removeUser, async (tenant) => ({ params: await user(tenant) })),

  sample(auth.readAccount, () => ({})),
  sample(auth.updateAccount, () => ({ body: { organization_name: 'Renamed organization' } })),
  sample(auth.deleteAccountLogo, () => ({})),
  sample(auth.readSettings, () => ({})),
  sample(auth.updateSettings, () => ({ body: { settings: { theme: 'dark' } } })),

  sample(auth.listDomains, () => ({})),
  sample(auth.challengeDomain, () => ({ body: { domain: newDomain() } })),
  sample(auth.claimDomain, async (tenant) => ({ body: await provenDomain(tenant) })),
  sample(auth.releaseDomain, async (tenant) => ({ params: await claimedDomain(tenant) })),

  sample(auth.createApiKey, () => ({ body: { name: 'sample' } })),
  sample(auth.listApiKeys, () => ({ query: page })),
  sample(auth.readApiKeyAnalytics, async (tenant) => ({ params: await apiKey(tenant) })),
  sample(auth.revokeApiKey, async (tenant) => ({ params: await apiKey(tenant) })),

  sample(integrations.listApps, () => ({})),
  sample(integrations.readApp, () => ({ params: { app_id: 'crma' } })),
  sample(integrations.installApp, async (tenant) => ({
    params: await uninstalledApp(tenant, 'crma'),
    body: newInstallation(),
  })),
  sample(integrations.updateApp, async (tenant) => ({
    params: await installedApp(tenant, 'crma'),
    body: newInstallation(),
  })),
  sample(integrations.deleteApp, async (tenant) => ({ params: await installedApp(tenant, 'crma') })),
  sample(integrations.startOAuth, () => ({
    params: { app_id: 'chatapp' as const },
    body: { redirect_uri: 'https://app.example.com/callback' },
  })),
  sample(integrations.createCrmbSessionSecret, async (tenant) => {
    const body = await newCrmConnection(tenant, 'crmb');
    succeeded(await tenant.owner.call(integrations.connectCrmb, { body }));
    return {};
  }),
  sample(integrations.connectChatapp, async (tenant) => ({ body: await newChatConnection(tenant) })),
  sample(integrations.connectCrma, async (tenant) => ({ body: await newCrmConnection(tenant, 'crma') })),
  sample(integrations.connectCrmb, async (tenant) => ({ body: await newCrmConnection(tenant, 'crmb') })),
  sample(integrations.receiveChatCommand, () => ({})),
  sample(integrations.receiveChatInteraction, () => ({})),
  sample(integrations.receiveChatEvent, () => ({})),
  sample(integrations.readChatAnalytics, async (tenant) => {
    await installedApp(tenant, 'chatapp');
    return { query: {} };
  }),
  sample(integrations.resolveCrmaRecord, () => ({ body: crmRecord })),
  sample(integrations.listCrmaFiles, () => ({ body: crmRecord })),
  sample(integrations.unsealCrmaVault, () => ({ body: { ...crmRecord, vmk: 'x', ttl_seconds: 60 } })),
  sample(integrations.downloadCrmaFile, () => ({ body: { ...crmRecord, ingot_id: ':a.txt', vat: 'x' } })),
  sample(integrations.deleteCrmaFile, () => ({ body: { ...crmRecord, ingot_id: ':a.txt', vat: 'x' } })),
  sample(integrations.receiveCrmaEvents, () => ({})),
  sample(integrations.resolveCrmbRecord, () => ({ body: crmRecord })),
  sample(integrations.listCrmbFiles, () => ({ body: crmRecord })),
  sample(integrations.unsealCrmbVault, () => ({ body: { ...crmRecord, vmk: 'x', ttl_seconds: 60 } })),
  sample(integrations.downloadCrmbFile, () => ({ body: { ...crmRecord, ingot_id: ':a.txt', vat: 'x' } })),
  sample(integrations.deleteCrmbFile, () => ({ body: { ...crmRecord, ingot_id: ':a.txt', vat: 'x' } })),
  sample(integrations.prepareCrmbUpload, () => ({ body: { ...crmRecord, vmk: 'x', ttl_seconds: 60 } })),
  sample(integrations.receiveCrmbEvents, () => ({})),
  sample(integrations.openPanel, () => ({ params: crmApp })),
  sample(integrations.listInPanel, () => ({ params: crmApp })),
  sample(integrations.unsealInPanel, () => ({ params: crmApp, body: { vmk: 'x' } })),
  sample(integrations.uploadInPanel, () => ({ params: crmApp, body: newPanelFile })),
  sample(integrations.downloadInPanel, () => ({ params: crmApp, body: panelFile })),
  sample(integrations.deleteInPanel, () => ({ params: crmApp, body: panelFile })),
  sample(integrations.shareInPanel, () => ({
    params: crmApp,
    body: { ...panelFile, expires_in_seconds: 300 },
  })),
  sample(integrations.disconnectChatapp, (tenant) => installedOnly(tenant, 'chatapp')),
  sample(integrations.disconnectCrma, (tenant) => installedOnly(tenant, 'crma')),
  sample(integrations.disconnectCrmb, (tenant) => installedOnly(tenant, 'crmb')),

  sample(notify.sendNotification, () => ({ body: newNotification() as never })),
  sample(notify.listSends, async (tenant) => {
    await Promise.all([newSendId(tenant), newSendId(tenant)]); // so that the list has two pages
    return { query: page };
  }),
  sample(notify.readSend, async (tenant) => ({ params: await newSendId(tenant) })),
  sample(notify.replayDelivery, async (tenant) => ({ params: await failedDelivery(tenant) })),
  sample(notify.listConversations, async (tenant) => {
    await Promise.all([newConversation(tenant), newConversation(tenant)]); // so that the list has two pages
    return { query: { limit: 1 } };
  }),
  sample(notify.readConversation, async (tenant) => ({ params: await newConversation(tenant) })),
  sample(notify.listReceipts, async (tenant) => ({ params: await newSendId(tenant) })),
  sample(notify.interact, (tenant) => openedGrant(tenant)),
  sample(notify.readConfig, () => ({})),
  sample(notify.putConfig, () => ({ body: new notify.NotifyConfiguration() })),
  sample(notify.registerPushToken, () => ({ body: newPushToken() })),
  sample(notify.listPushTokens, () => ({ query: {} })),
  sample(notify.deletePushToken, async (tenant) => ({ params: await pushToken(tenant) })),
  sample(notify.readCategorySubscription, async (tenant) => ({ query: await unsubscribeToken(tenant) })),
  sample(notify.unsubscribe, async (tenant) => ({ query: await unsubscribeToken(tenant) })),
  sample(notify.setMailPreferences, async (tenant) => ({
    query: await unsubscribeToken(tenant),
    body: { unsubscribed: false },
  })),
  sample(notify.readPreferences, () => ({ params: { recipient_id: 'user-7' } })),
  sample(notify.putPreferences, () => ({ params: { recipient_id: 'user-7' }, body: newPreferences() })),
  sample(notify.listSuppressions, async (tenant) => {
    for (const _ of [1, 2]) await suppression(tenant); // so that the list has two pages
    return { query: page };
  }),
  sample(notify.deleteSuppression, async (tenant) => ({ params: await suppression(tenant) })),

  sample(reporting.readSubscription, () => ({})),
  sample(reporting.startSubscription, () => ({ body: newSubscription() })),
  sample(reporting.previewAdjustment, () => ({ body: { seats: 3 } })),
  sample(reporting.adjustSubscription, () => ({ body: { bandwidth_blocks: 2 } })),
  sample(reporting.changeSeats, () => ({ body: { add: 1 } })),
  sample(reporting.listPaymentMethods, () => ({})),
  sample(reporting.addPaymentMethod, () => ({ body: { label: 'Purchase order 4711' } })),
  sample(reporting.setUpPaymentMethod, () => ({})),
  sample(reporting.deletePaymentMethod, async (tenant) => ({ params: await paymentMethod(tenant) })),
  sample(reporting.makeDefaultPaymentMethod, async (tenant) => ({ params: await paymentMethod(tenant) })),
  sample(reporting.listInvoices, async (tenant) => {
    for (const _ of [1, 2]) await invoice(tenant); // so that the list has two pages
    return { query: page };
  }),
  sample(reporting.chargeInvoice, async (tenant) => ({ body: await invoice(tenant) })),
  sample(reporting.openCheckout, () => ({ body: newSubscription() })),
  sample(reporting.openPortal, () => ({})),
  sample(reporting.validatePurchase, () => ({ body: { store: 'apple' as const, receipt: 'a.b.c' } })),
  sample(reporting.receiveStripeEvent, () => ({})),

  sample(sparks.createSpark, () => ({ body: newSpark() })),
  sample(sparks.listSparks, () => ({ query: page })),
  sample(sparks.readSpark, async (tenant) => ({ params: await spark(tenant) })),
  sample(sparks.deleteSpark, async (tenant) => ({ params: await spark(tenant) })),
  sample(sparks.shareSpark, async (tenant) => ({ params: await spark(tenant), body: publicSharing() })),
  sample(sparks.readShare, async (tenant) => ({ params: await sharedSpark(tenant) })),
  sample(sparks.unshareSpark, async (tenant) => ({ params: await sharedSpark(tenant) })),
  sample(sparks.resendSparkInvitation, async (tenant) => ({ params: await sharedWithOne(tenant) })),

  sample(sparks.listLinks, async (tenant) => {
    await Promise.all([sharedSpark(tenant), sharedSpark(tenant)]); // so that the list has two pages
    return { query: { limit: 10 } };
  }),
  sample(sparks.readLink, async (tenant) => ({ params: await publicLinkCode(tenant) })),
  sample(sparks.deleteLink, async (tenant) => ({ params: await publicLinkCode(tenant) })),
  sample(sparks.describeShare, async (tenant) => ({ params: await sharedFileCode(tenant) })),
  sample(sparks.openShare, async (tenant) => ({
    params: await sharedFileCode(tenant),
    body: { confirmed: true },
  })),
  sample(sparks.openLink, async (tenant) => ({
    params: await publicLinkCode(tenant),
    body: { describe: false, confirmed: true },
  })),
  sample(sparks.startVerification, async (tenant) => ({
    params: await authenticatedLinkCode(tenant),
    body: { identity: newIdentity() },
  })),
  sample(sparks.confirmVerification, (tenant) => verificationCode(tenant)),
  sample(sparks.startPasskey, async (tenant) => {
    const { link_code } = await passkeyLinkCode(tenant);
    return { params: { link_code }, body: {} };
  }),
  sample(sparks.verifyPasskey, (tenant) => passkeyAnswer(tenant)),

  sample(sparks.generateEntropy, () => ({
    body: { format: 'hex' as const, num_bytes: 16, with_commitment: false },
  })),

  sample(reporting.listAccountAudit, accountWithAudit),
  sample(reporting.listSparkHistory, () => ({ query: page })),
  sample(reporting.listVaultAudit, async (tenant) => {
    const { params, ...rest } = await ingotWithAudit(tenant);
    return { params: { vault_id: params.vault_id }, ...rest };
  }),
  sample(reporting.listIngotAudit, ingotWithAudit),
  sample(reporting.listAppAudit, appWithAudit),
  sample(reporting.recordAppEvent, () => ({ body: newAppEvent() })),
  sample(reporting.readAuditIntegrity, () => ({})),
  sample(reporting.exportAudit, () => ({ query: {} })),

  sample(vaults.createVault, () => ({ body: newVault() })),
  sample(vaults.listVaults, () => ({ query: page })),
  sample(vaults.readVault, async (tenant) => ({ params: await vault(tenant) })),
  sample(vaults.readVaultAnalytics, async (tenant) => ({ params: await vault(tenant), query: {} })),
  sample(vaults.updateVault, async (tenant) => ({ params: await vault(tenant), body: newVault() })),
  sample(vaults.unsealVault, async (tenant) => {
    const { params, vmk } = await vaultAndKey(tenant);
    return { params, body: { vmk, ttl_seconds: 60 } };
  }),
  sample(vaults.sealVault, async (tenant) => ({ params: await vault(tenant) })),
  sample(vaults.deleteVault, async (tenant) => ({ params: await vault(tenant) })),
  sample(vaults.createDvak, async (tenant) => {
    const { params, vmk } = await vaultAndKey(tenant);
    return { params, body: newDvak(vmk) };
  }),
  sample(vaults.listDvaks, async (tenant) => ({ params: await vaultWithDvaks(tenant), query: page })),
  sample(vaults.revokeDvak, async (tenant) => ({ params: await vaultWithDvaks(tenant) })),
  sample(vaults.createFolder, async (tenant) => ({ ...(await openVault(tenant)), body: newFolder() })),
  sample(vaults.listFolders, async (tenant) => ({ ...(await vaultWithFolders(tenant)), query: page })),
  sample(vaults.readFolder, (tenant) => vaultWithFolders(tenant)),
  sample(vaults.updateFolder, async (tenant) => ({ ...(await vaultWithFolders(tenant)), body: newFolder() })),
  sample(vaults.deleteFolder, (tenant) => vaultWithFolders(tenant)),

  sample(vaults.createIngot, async (tenant) => ({ ...(await openVault(tenant)), body: newIngot() })),
  sample(vaults.listIngots, async (tenant) => ({ ...(await vaultWithIngots(tenant)), query: ingotList })),
  sample(vaults.searchIngots, async (tenant) => ({ ...(await vaultWithIngots(tenant)), query: ingotSearch })),
  sample(vaults.readIngot, (tenant) => vaultWithIngots(tenant)),
  sample(vaults.downloadIngot, async (tenant) => ({
    ...(await vaultWithIngots(tenant)),
    body: { stream: false },
  })),
  sample(vaults.replaceIngot, async (tenant) => ({
    ...(await vaultWithIngots(tenant)),
    body: { size_bytes: 1 },
  })),
  sample(vaults.updateIngot, async (tenant) => ({
    ...(await vaultWithIngots(tenant)),
    body: { name: newIngot().name },
  })),
  sample(vaults.deleteIngot, (tenant) => vaultWithIngots(tenant)),
  sample(vaults.updateSharing, async (tenant) => ({
    ...(await vaultWithSharing(tenant)),
    body: newSharing(),
  })),
  sample(vaults.readSharing, (tenant) => vaultWithIngots(tenant)),
  sample(vaults.inviteToIngot, async (tenant) => {
    const { params, ...open } = await sharedWithInvite(tenant);
    return { params, ...open, body: { identity: newIdentity() } };
  }),
  sample(vaults.revokeInvite, (tenant) => sharedWithInvite(tenant)),
  sample(vaults.resendInvite, (tenant) => sharedWithInvite(tenant)),
  sample(vaults.createIngotLink, async (tenant) => ({
    ...(await vaultWithIngots(tenant)),
    body: { expires_in_seconds: 300 },
  })),
  sample(vaults.deliverIngotLink, async (tenant) => ({
    ...(await newOneTimeLink(tenant)),
    body: { identity: newIdentity() },
  })),

  sample(vaults.createStructured, async (tenant) => ({
    ...(await openVault(tenant)),
    body: newStructured(),
  })),
  sample(vaults.listStructured, async (tenant) => ({
    ...(await vaultWithStructured(tenant)),
    query: page,
  })),
  sample(vaults.readStructured, async (tenant) => ({
    ...(await vaultWithStructured(tenant)),
    query: { keys: SAMPLE_KEY },
  })),
  sample(vaults.updateStructured, async (tenant) => ({
    ...(await vaultWithStructured(tenant)),
    body: { set: { [SAMPLE_KEY]: null }, delete: ['port'] },
  })),
  sample(vaults.deleteStructured, (tenant) => vaultWithStructured(tenant)),

  sample(reporting.listTransactions, () => ({ query: { limit: 10, include_aggregated: true } })),
  sample(reporting.aggregateTransactions, () => ({})),
  sample(reporting.readAnalyticsOverview, () => ({ query: {} })),
  sample(reporting.readUsageOverTime, () => ({ query: { period: 'day' } })),
  sample(reporting.listActivity, () => ({ query: { limit: '10' } })),
  sample(reporting.readSparkActivity, () => ({ query: { days: '1' } })),

  sample(vaults.uploadThroughSource, async (tenant) => ({
    params: { ...(await vault(tenant)), source: 'portal' as const },
  })),

  sample(reporting.readPools, () => ({})),
  sample(reporting.readBandwidth, () => ({})),
]);

type SampleInput<S extends PublicSpec> = CallInput<S> & VaultAccess;

function sample<S extends PublicSpec>(
  { name }: Operation<S>,
  make: (tenant: Tenant) => SampleInput<S> | Promise<SampleInput<S>>,
): [string, Sample] {
  return [name, async (tenant) => make(tenant)];
}
