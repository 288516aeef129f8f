import { int, is, iso, text } from './notation.js';
import { law } from './row.js';

/** Forge: the ISTK is the credential, bodies are bare (OPEN-14). Headers and chunks are tested beside Forge. */
const forge = { origin: 'forge', by: 'none', bare: true } as const;

export const transfers = law({
  'OPTIONS /encrypt': { law: 'FRG-02', ...forge, status: 204 },
  'POST /encrypt': {
    law: 'FRG-04 FRG-05 FRG-06 FRG-07',
    ...forge,
    status: 201,
    errors: ['412 PRECONDITION_FAILED'],
  },
  'HEAD /encrypt/{upload_id}': { law: 'FRG-14 FRG-33', ...forge, status: 200 },
  'PATCH /encrypt/{upload_id}': {
    law: 'FRG-08 FRG-10 FRG-13',
    ...forge,
    status: 204,
    errors: ['409 CONFLICT'],
  },
  'DELETE /encrypt/{upload_id}': { law: 'FRG-15 FRG-17', ...forge, status: 204 },
  'GET /decrypt': { law: 'FRG-18 FRG-19', ...forge, status: 200 },
  'GET /progress': {
    law: 'FRG-22 FRG-23',
    ...forge,
    status: 200,
    data: {
      success: is(true, false),
      progress: { bytes_downloaded: int, bytes_processed: int, total_bytes: int, status: text },
    },
  },
  'GET /health': {
    law: 'FRG-01',
    ...forge,
    status: 200,
    data: { status: text, version: text, timestamp: iso },
  },
});
