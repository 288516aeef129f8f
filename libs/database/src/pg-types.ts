import { types } from 'pg';

const INT8_OID = 20;

/** node-postgres gives bigint as text. Every bigint of ours (bytes, epoch seconds, counters) is below 2^53. */
types.setTypeParser(INT8_OID, (text) => {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError('a bigint column is outside the safe integers');
  return number;
});
