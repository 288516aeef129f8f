import { Controller } from '@nestjs/common';
import { assertAdmin, type AccountContext, type Input } from '@vaultsvc/contracts';
import {
  connectCrma,
  connectCrmb,
  type CrmaConnection,
  type CrmbConnection,
} from '@vaultsvc/contracts/integrations';
import { readVault } from '@vaultsvc/contracts/vaults';
import { Bus, Handles } from '@vaultsvc/messaging';
import { CrmbSessionSecrets } from '../crm/crmb-session-secrets.js';
import { Connector, type ConnectionTerms } from './connector.js';

/** Connects the two CRM apps. The caller's own credential shows that the vault is of their account (APP-21). */
@Controller()
export class ConnectCrm {
  constructor(
    private readonly connector: Connector,
    private readonly secrets: CrmbSessionSecrets,
    private readonly bus: Bus,
  ) {}

  @Handles(connectCrma)
  async connectCrma({ body }: Input<typeof connectCrma>, context: AccountContext): Promise<CrmaConnection> {
    const terms = { vaultId: await this.#ownVault(body.vault_id, context), renews: false };
    const { remoteId } = await this.connector.connect('crma', body, terms, context);
    return {
      installed: true,
      portal_id: remoteId,
      account_id: context.credential.accountId,
      vault_id: body.vault_id,
    };
  }

  @Handles(connectCrmb)
  async connectCrmb({ body }: Input<typeof connectCrmb>, context: AccountContext): Promise<CrmbConnection> {
    const { accountId: account_id } = context.credential;
    const vaultId = await this.#ownVault(body.vault_id, context);
    const secret = await this.secrets.draw(account_id);
    let session_secret: string | undefined;
    const onNew: ConnectionTerms['onNew'] = async (tx, { generation }) => {
      await this.secrets.insertFirst(tx, account_id, generation, secret.sealed);
      session_secret = secret.text;
    };
    const terms = { vaultId, renews: true, onNew };
    const { remoteId } = await this.connector.connect('crmb', body, terms, context);
    return {
      installed: true,
      org_id: remoteId,
      account_id,
      vault_id: body.vault_id,
      ...(session_secret !== undefined && { session_secret }),
    };
  }

  /** Throws VAULT_NOT_FOUND before a code is used up. */
  async #ownVault(vault_id: string, context: AccountContext): Promise<string> {
    assertAdmin(context);
    return (await this.bus.call(readVault, { params: { vault_id } }, context)).vault_id;
  }
}
