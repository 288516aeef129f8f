import { Secret, type Parser } from '@vaultsvc/config';

/** What a header can carry; anything else would be named, key and all, by the error of the request that holds it. */
export const apiKey: Parser<Secret> = (value) => {
  if (/^[\x21-\x7e]{1,512}$/.test(value)) return new Secret(value);
  throw new Error('must be at most 512 ASCII characters without spaces');
};
