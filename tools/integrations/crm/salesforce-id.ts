/** Ids of the second CRM: 15 characters whose case matters, or 18 with a checksum of that case, for programs that ignore case. */

const CHECKSUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';

/**
 * The form with 18 characters: one more character for each block of five, whose bits say which of them are upper-case letters.
 * @param id with 15 characters
 */
export function longId(id: string) {
  const blocks = [id.slice(0, 5), id.slice(5, 10), id.slice(10, 15)];
  return id + blocks.map(checksumOf).join('');
}

function checksumOf(block: string) {
  const bits = [...block].reduce((sum, one, place) => sum + (/[A-Z]/.test(one) ? 2 ** place : 0), 0);
  return CHECKSUM.charAt(bits);
}

/** The same letters in the other case: another id. */
export const inOtherCase = (id: string) =>
  id.replace(/[a-z]/gi, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
