import { ListOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** Most receipts of one `signReceipts`. */
export const RECEIPTS_MAX = 100;

/** Most bytes of the claims of one receipt, in UTF-8. */
export const CLAIMS_BYTES_MAX = 4_096;

/** The claims of one receipt. */
export class ReceiptClaims {
  @Text({ max: CLAIMS_BYTES_MAX, description: 'A JSON object. `iss` and `iat` are added.' })
  claims_json: string;
}

/** Body of `signReceipts`. */
export class ReceiptsToSign {
  @ListOf(() => ReceiptClaims, { max: RECEIPTS_MAX }) receipts: ReceiptClaims[];
}

/** A signed receipt. */
export class SignedReceipt {
  @Text({ max: 8_192, description: 'A compact JWS (RFC 7515) of type `receipt+jwt`.' }) jws: string;
}

/** In the order of the request. */
export class SignedReceipts {
  @ListOf(() => SignedReceipt, { max: RECEIPTS_MAX }) receipts: SignedReceipt[];
}

/** Signs receipts with keys of their own, which stay published for ever (NTF-45) and sign no access tokens. */
export const signReceipts = operation({
  name: 'auth.sign-receipts',
  summary: 'Signs receipts of recipients.',
  access: 'internal',
  callers: ['notify'],
  body: ReceiptsToSign,
  reply: SignedReceipts,
  repeatable: true,
});
