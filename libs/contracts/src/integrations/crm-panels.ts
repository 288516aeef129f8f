import { EXAMPLE_VMK, exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, Int, Name, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { INGOT_NAME_MAX, IngotName } from '../vaults/ingot.js';
import { CreatedIngotLink } from '../vaults/ingot-link.js';
import { CONTENT_TYPE_DEFAULT, INGOT_BYTES_MAX, IngotUpload } from '../vaults/upload.js';
import { AppParams } from './app.js';
import {
  DelegatedKey,
  DeletedRecordFile,
  RecordAccess,
  RecordDownload,
  RecordFileId,
  recordDrawErrors,
  recordFileErrors,
  RecordFiles,
  recordKeyErrors,
  UnsealedToken,
  VaultMasterKey,
} from './crm-records.js';

/** Seconds in which the URL of a panel must be opened, once, and seconds for which the panel then works (OPEN-66). */
export const PANEL_TICKET_SECONDS = 60;
export const PANEL_SECONDS = 900;

/** An open panel: the bearer of its requests, and the record, which they cannot change. */
@Example({ token: 'x5Kf0Yw3vTq8ZrN1mLb7sPdHg2JkXcVnB4QeRtUiOpA', expires_at: exampleTime(PANEL_SECONDS) })
export class OpenedPanel {
  @Text({ max: 100, description: 'The bearer of the other operations of the panel.' }) token: string;
  @EpochSeconds() expires_at: number;
  @Text({ max: 128 }) object_type: string;
  @Text({ max: 128 }) record_id: string;
}

/** Body of `unsealInPanel`: exactly one key. */
@Example({ vmk: EXAMPLE_VMK })
export class PanelUnsealing {
  @VaultMasterKey() vmk?: string;
  @DelegatedKey() dvak_token?: string;
}

/** Body of `downloadInPanel` and `deleteInPanel`. */
export class PanelFile {
  @RecordFileId() ingot_id: string;
  @UnsealedToken() vat: string;
}

/** Body of `uploadInPanel`. */
@Example({ name: 'contract.pdf', content_type: 'application/pdf' })
export class NewPanelFile {
  @IngotName() name: string;
  @Int({ min: 1, max: INGOT_BYTES_MAX, description: 'Bytes of the content.' }) size_bytes: number;
  @Name({ max: INGOT_NAME_MAX, optional: true, description: 'The Content-Type of downloads.' })
  content_type: string = CONTENT_TYPE_DEFAULT;
  @UnsealedToken() vat: string;
}

/** Body of `shareInPanel`. */
@Example({ expires_in_seconds: 3_600 })
export class NewPanelLink extends PanelFile {
  @Int({ min: 300, max: 86_400, optional: true, description: 'Lifetime in seconds.' })
  expires_in_seconds = 86_400;
}

/** The page itself calls these operations with a bearer: first the ticket of its URL, then the token of `openPanel`. */
const access = { provider: 'panel' } as const;
const PATH = '/v1/apps/{app_id}/panel' as const;
const errors = ['VAULT_NOT_FOUND', 'APP_SUSPENDED'] as const;

/** Trades a ticket, the fragment of `panel_url`, for the token of the panel, once. Not repeatable: the ticket is used. */
export const openPanel = operation({
  name: 'integrations.open-panel',
  summary:
    'Opens the panel of a record of a CRM. The bearer is the fragment of its URL, which works once and for 60 seconds.',
  http: { method: 'POST', path: `${PATH}/session`, status: 200 },
  access: { provider: 'panel', ticket: true },
  params: AppParams,
  reply: OpenedPanel,
  errors: ['APP_SUSPENDED'],
});

/** Lists the files of the record of the panel. */
export const listInPanel = operation({
  name: 'integrations.list-in-panel',
  summary: 'Lists the files of the record of a panel.',
  http: { method: 'POST', path: `${PATH}/files`, status: 200 },
  access,
  params: AppParams,
  reply: RecordFiles,
  errors,
});

/** Opens the vault for the person of the panel. */
export const unsealInPanel = operation({
  name: 'integrations.unseal-in-panel',
  summary: 'Opens the vault of a panel with a key, for its person and for at most 15 minutes.',
  http: { method: 'POST', path: `${PATH}/unseal`, status: 200 },
  access,
  params: AppParams,
  body: PanelUnsealing,
  reply: RecordAccess,
  errors: [...errors, ...recordKeyErrors],
});

/** Opens an upload to the record; a file of the record with this name gets new content. */
export const uploadInPanel = operation({
  name: 'integrations.upload-in-panel',
  summary: 'Opens an upload to the record of a panel.',
  http: { method: 'POST', path: `${PATH}/upload`, status: 201 },
  access,
  params: AppParams,
  body: NewPanelFile,
  reply: IngotUpload,
  errors: [
    ...errors,
    'VAT_EXPIRED',
    'VAT_OUT_OF_SCOPE',
    'VAT_READ_ONLY',
    'FOLDER_NOT_FOUND',
    'INGOT_MANAGED',
    ...recordDrawErrors,
  ],
});

/** Issues a download URL for a file of the record. */
export const downloadInPanel = operation({
  name: 'integrations.download-in-panel',
  summary: 'Issues a download URL for a file of the record of a panel.',
  http: { method: 'POST', path: `${PATH}/download`, status: 200 },
  access,
  params: AppParams,
  body: PanelFile,
  reply: RecordDownload,
  errors: [...errors, ...recordFileErrors, 'INGOT_NOT_READY', ...recordDrawErrors],
});

/** Deletes a file of the record. */
export const deleteInPanel = operation({
  name: 'integrations.delete-in-panel',
  summary: 'Deletes a file of the record of a panel.',
  http: { method: 'POST', path: `${PATH}/delete-file`, status: 200 },
  access,
  params: AppParams,
  body: PanelFile,
  reply: DeletedRecordFile,
  errors: [...errors, ...recordFileErrors, 'INGOT_UPLOADING'],
});

/** Creates a one-time link of a file of the record, for somebody outside the CRM. */
export const shareInPanel = operation({
  name: 'integrations.share-in-panel',
  summary: 'Creates a link that downloads a file of the record of a panel once.',
  http: { method: 'POST', path: `${PATH}/share`, status: 201 },
  access,
  params: AppParams,
  body: NewPanelLink,
  reply: CreatedIngotLink,
  errors: [...errors, ...recordFileErrors, 'INGOT_NOT_READY'],
});
