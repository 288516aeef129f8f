import { Controller } from '@nestjs/common';
import type { Input, ProviderContext } from '@vaultsvc/contracts';
import {
  deleteInPanel,
  downloadInPanel,
  listInPanel,
  NewPanelFile,
  NewPanelLink,
  openPanel,
  PANEL_SECONDS,
  PanelFile,
  PanelUnsealing,
  shareInPanel,
  unsealInPanel,
  uploadInPanel,
} from '@vaultsvc/contracts/integrations';
import { createIngot, createIngotLink } from '@vaultsvc/contracts/vaults';
import { Bus, Handles } from '@vaultsvc/messaging';
import { Panels, readPanelBody } from './panels.js';
import { RecordFiles } from './record-files.js';

/** Requests of panels: the bearer names record and person, the body never does (OPEN-66). */
@Controller()
export class PanelRequests {
  constructor(
    private readonly panels: Panels,
    private readonly files: RecordFiles,
    private readonly bus: Bus,
  ) {}

  @Handles(openPanel)
  open({ params }: Input<typeof openPanel>, context: ProviderContext) {
    return this.panels.open(params.app_id, context);
  }

  @Handles(listInPanel)
  async list({ params }: Input<typeof listInPanel>, context: ProviderContext) {
    const { caller, record } = await this.panels.identify(params.app_id, context);
    return this.files.list(caller, record);
  }

  @Handles(unsealInPanel)
  async unseal(input: Input<typeof unsealInPanel>, context: ProviderContext) {
    const { caller } = await this.panels.identify(input.params.app_id, context);
    const key = readPanelBody(PanelUnsealing, input);
    return this.files.unseal(caller, { ...key, ttl_seconds: PANEL_SECONDS });
  }

  @Handles(uploadInPanel)
  async upload(input: Input<typeof uploadInPanel>, context: ProviderContext) {
    const { caller, record } = await this.panels.identify(input.params.app_id, context);
    const { vat, ...file } = readPanelBody(NewPanelFile, input);
    const opened = await this.files.withPools(await this.files.open(caller, vat, 'write'));
    const { vault_id, folder_id } = await this.files.place(caller, record);
    return this.bus.call(createIngot, { params: { vault_id }, body: { ...file, folder_id } }, opened);
  }

  @Handles(downloadInPanel)
  async download(input: Input<typeof downloadInPanel>, context: ProviderContext) {
    const { caller, record } = await this.panels.identify(input.params.app_id, context);
    return this.files.download(caller, { ...record, ...readPanelBody(PanelFile, input) });
  }

  @Handles(deleteInPanel)
  async delete(input: Input<typeof deleteInPanel>, context: ProviderContext) {
    const { caller, record } = await this.panels.identify(input.params.app_id, context);
    return this.files.delete(caller, { ...record, ...readPanelBody(PanelFile, input) });
  }

  @Handles(shareInPanel)
  async share(input: Input<typeof shareInPanel>, context: ProviderContext) {
    const { caller, record } = await this.panels.identify(input.params.app_id, context);
    const { expires_in_seconds, ...file } = readPanelBody(NewPanelLink, input);
    const located = await this.files.locate(caller, { ...record, ...file }, 'write');
    return this.bus.call(
      createIngotLink,
      { params: located.params, body: { expires_in_seconds } },
      located.context,
    );
  }
}
