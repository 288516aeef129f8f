import type { CrmContext } from '@vaultsvc/contracts';

/** A verified request of a CRM: the installation, and the person whom the CRM names. */
export type CrmCaller = Pick<CrmContext, 'installation' | 'userId' | 'requestId' | 'deadlineMs'>;

export type { RecordKey } from './record-key.js';
