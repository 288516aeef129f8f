import type { Installation } from '../installations/installation.repository.js';

/** A verified request of a CRM: the installation, and the person whom the CRM names. */
export interface CrmCaller {
  readonly installation: Installation & { readonly vaultId: string };
  readonly userId: string;
  readonly requestId: string;
  readonly deadlineMs: number;
}

export type { RecordKey } from './record-key.js';
