import { Controller } from '@nestjs/common';
import type { Input, PanelContext } from '@vaultsvc/contracts';
import { openPanel, type OpenedPanel } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { Panels } from './panels.js';

/** Trades the ticket of a panel's URL for the token of the panel, once (OPEN-66). */
@Controller()
export class OpenPanel {
  constructor(private readonly panels: Panels) {}

  @Handles(openPanel)
  handle({ params }: Input<typeof openPanel>, { bearer }: PanelContext): Promise<OpenedPanel> {
    return this.panels.open(params.app_id, bearer);
  }
}
