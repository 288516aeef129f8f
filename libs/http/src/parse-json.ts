import { AppError, validationError } from '@vaultsvc/contracts';

/** 32 levels of a value of a structured ingot, and the two of the body around it. */
const DEPTH_MAX = 34;

/** Fatal: bytes that are not UTF-8 are refused, not replaced. A byte order mark is no JSON (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The value of a JSON text. Throws MALFORMED_JSON, and VALIDATION_ERROR beyond 34 levels, which no contract has. */
export function parseJson(bytes: Uint8Array): unknown {
  const value = parse(bytes);
  if (isDeeperThan(value, DEPTH_MAX))
    throw validationError({ field: '', message: `must be at most ${DEPTH_MAX} levels deep` });
  return value;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch {
    // The parser's own message quotes the body, which may hold a secret.
    throw new AppError('MALFORMED_JSON');
  }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // Not `for…in`: it makes a text of every index, and a million small numbers would hold up everyone else.
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let i = 0; i < members.length; i += 1) {
    if (isDeeperThan(members[i], levels - 1)) return true;
  }
  return false;
}
