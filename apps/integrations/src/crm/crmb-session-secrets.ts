import { Injectable } from '@nestjs/common';
import type { Secret } from '@vaultsvc/config';
import { IntegrationsConfig } from '../config.js';

/** The secrets with which sessions of an org of crmb may be signed (OPEN-38). */
@Injectable()
export class CrmbSessionSecrets {
  constructor(private readonly config: IntegrationsConfig) {}

  /** Empty: no session of the org can be verified. @param orgId as the session claims, before it is verified */
  async candidates(_orgId: string): Promise<readonly Secret[]> {
    const common = this.config.CRMB_SESSION_SECRET;
    return common.reveal() === '' ? [] : [common];
  }
}
