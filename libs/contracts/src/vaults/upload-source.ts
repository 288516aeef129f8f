import { IdOf, OneOf } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { IngotUpload } from './ingot.js';

export class UploadSourceParams {
  @IdOf('vlt') vault_id: string;
  @OneOf(['portal', 'widget']) source: 'portal' | 'widget';
}

/** No vault has an upload portal or widget yet: what is answered is that it is off (OPEN-24). */
export const uploadThroughSource = operation({
  name: 'vaults.upload-through-source',
  summary: "Opens an upload through a vault's portal or widget, once one is enabled.",
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/upload-sources/{source}/ingots', status: 201 },
  access: { credential: 'key' },
  params: UploadSourceParams,
  reply: IngotUpload,
  // An unknown source as well: what cannot be a vault must answer as a vault that nobody has.
  unknown: 'VAULT_NOT_FOUND',
  errors: ['VAULT_NOT_FOUND', 'UPLOAD_SOURCE_DISABLED'],
});
