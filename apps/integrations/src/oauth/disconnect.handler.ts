import { Controller } from '@nestjs/common';
import { assertAdmin, type AccountContext } from '@vaultsvc/contracts';
import {
  disconnectChatapp,
  disconnectCrma,
  disconnectCrmb,
  type AppId,
  type ChatDisconnection,
  type CrmaDisconnection,
  type CrmbDisconnection,
} from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { InstallationChanges } from '../lifecycle/installation-changes.js';

/** Uninstalls an integration, as `deleteApp` does, and names what was connected (APP-23). */
@Controller()
export class Disconnect {
  constructor(private readonly changes: InstallationChanges) {}

  @Handles(disconnectChatapp)
  async disconnectChatapp(_: unknown, context: AccountContext): Promise<ChatDisconnection> {
    const { remoteId: team_id, ...rest } = await this.#uninstall('chatapp', context);
    return { ...rest, team_id };
  }

  @Handles(disconnectCrma)
  async disconnectCrma(_: unknown, context: AccountContext): Promise<CrmaDisconnection> {
    const { remoteId: portal_id, ...rest } = await this.#uninstall('crma', context);
    return { ...rest, portal_id };
  }

  @Handles(disconnectCrmb)
  async disconnectCrmb(_: unknown, context: AccountContext): Promise<CrmbDisconnection> {
    const { remoteId: org_id, ...rest } = await this.#uninstall('crmb', context);
    return { ...rest, org_id };
  }

  async #uninstall(appId: AppId, context: AccountContext) {
    assertAdmin(context);
    const { accountId, remoteId } = await this.changes.uninstall(appId, context);
    return { uninstalled: true, account_id: accountId, remoteId };
  }
}
