import { Controller } from '@nestjs/common';
import { validationError, type Input } from '@vaultsvc/contracts';
import { CLAIMS_BYTES_MAX, signReceipts, type SignedReceipts } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { ReceiptKeys } from './receipt-keys.js';

type Claims = Readonly<Record<string, unknown>>;

@Controller()
export class SignReceipts {
  constructor(private readonly keys: ReceiptKeys) {}

  @Handles(signReceipts)
  async handle({ body }: Input<typeof signReceipts>): Promise<SignedReceipts> {
    const claims = body.receipts.map(({ claims_json: json }, index) => claimsOf(json, index));
    const signed = await Promise.all(claims.map((each) => this.keys.signReceipt(each)));
    return { receipts: signed.map((jws) => ({ jws })) };
  }
}

function claimsOf(json: string, index: number): Claims {
  const claims = Buffer.byteLength(json) <= CLAIMS_BYTES_MAX ? parsed(json) : undefined;
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    throw validationError({
      field: `receipts.${index}.claims_json`,
      message: `must be a JSON object of at most ${CLAIMS_BYTES_MAX} bytes`,
    });
  return claims as Claims;
}

/** undefined for text that is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
