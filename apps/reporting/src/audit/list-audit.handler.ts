import { Controller } from '@nestjs/common';
import {
  AppError,
  serviceContext,
  type AccountContext,
  type Input,
  type VaultContext,
} from '@vaultsvc/contracts';
import { isAppId } from '@vaultsvc/contracts/integrations';
import {
  auditTypesOf,
  listAccountAudit,
  listAppAudit,
  listIngotAudit,
  listVaultAudit,
  type AuditPage,
  type AuditScope,
  type ScopedAuditPage,
} from '@vaultsvc/contracts/reporting';
import { identifyIngot } from '@vaultsvc/contracts/vaults';
import { Bus, Handles } from '@vaultsvc/messaging';
import { AuditListRepository, type AuditList, type AuditPaging } from './audit-list.repository.js';
import { AuditPresenter } from './audit-presenter.js';

/** Handles the lists of the audit log in its four scopes (AUD-01 to AUD-09). */
@Controller()
export class ListAudit {
  constructor(
    private readonly entries: AuditListRepository,
    private readonly presenter: AuditPresenter,
    private readonly bus: Bus,
  ) {}

  @Handles(listAccountAudit)
  ofAccount({ query }: Input<typeof listAccountAudit>, context: AccountContext): Promise<ScopedAuditPage> {
    return this.#scoped({ scope: 'account', accountId: context.credential.accountId }, query, context);
  }

  @Handles(listVaultAudit)
  ofVault({ params, query }: Input<typeof listVaultAudit>, context: VaultContext): Promise<ScopedAuditPage> {
    const list = {
      scope: 'vault',
      accountId: context.credential.accountId,
      vaultId: params.vault_id,
    } as const;
    return this.#scoped(list, query, context);
  }

  @Handles(listIngotAudit)
  async ofIngot(
    { params, query }: Input<typeof listIngotAudit>,
    context: VaultContext,
  ): Promise<ScopedAuditPage> {
    const { accountId } = context.credential;
    const vaultId = params.vault_id;
    const ingotId = await this.#ingotId(params, context);
    return this.#scoped({ scope: 'ingot', accountId, vaultId, ingotId }, query, context);
  }

  @Handles(listAppAudit)
  async ofApp({ params, query }: Input<typeof listAppAudit>, context: AccountContext): Promise<AuditPage> {
    const { app_slug: appId } = params;
    if (!isAppId(appId)) throw new AppError('APP_NOT_FOUND');
    return this.#page({ scope: 'app', accountId: context.credential.accountId, appId }, query, context);
  }

  async #scoped(
    list: AuditList & { scope: AuditScope },
    paging: AuditPaging,
    context: AccountContext,
  ): Promise<ScopedAuditPage> {
    return { ...(await this.#page(list, paging, context)), event_types: [...auditTypesOf(list.scope)] };
  }

  async #page(list: AuditList, paging: AuditPaging, context: AccountContext): Promise<AuditPage> {
    const { rows, ...page } = await this.entries.list(list, paging);
    return { entries: await this.presenter.present(rows, context), ...page };
  }

  /** Vaults knows names, and which ids exist; a deleted ingot is known by its entries, archived ones too. */
  async #ingotId(params: { vault_id: string; ingot_id: string }, context: VaultContext): Promise<string> {
    const { accountId } = context.credential;
    const { vault_id, ingot_id: reference } = params;
    if (await this.entries.hasIngot(accountId, vault_id, reference)) return reference;
    const body = { account_id: accountId, vault_id, reference };
    try {
      return (await this.bus.call(identifyIngot, { body }, serviceContext(context))).ingot_id;
    } catch (error) {
      const isUnknown = error instanceof AppError && error.reason === 'INGOT_NOT_FOUND';
      if (isUnknown && (await this.entries.hadIngot(accountId, vault_id, reference))) return reference;
      throw error;
    }
  }
}
