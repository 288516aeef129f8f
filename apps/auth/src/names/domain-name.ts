import { hostNameOf, validationError } from '@vaultsvc/contracts';

/** The TXT records of a claim are at `_vaultsvc.{domain}`. */
export const TXT_LABEL = '_vaultsvc';

const NAME_CHARACTERS_MAX = 253;
/** The name of the record must be valid as well (RFC 1035, 2.3.4). */
const DOMAIN_CHARACTERS_MAX = NAME_CHARACTERS_MAX - `${TXT_LABEL}.`.length;

/** The canonical spelling of a host name (`hostNameOf`). Undefined for names that are too long to be claimed, too. */
export function domainNameOf(text: string): string | undefined {
  const name = hostNameOf(text);
  return name !== undefined && name.length <= DOMAIN_CHARACTERS_MAX ? name : undefined;
}

/** As `domainNameOf`; throws VALIDATION_ERROR that names the field. */
export function normalizeDomain(text: string): string {
  const domain = domainNameOf(text);
  if (domain !== undefined) return domain;
  throw validationError({
    field: 'domain',
    message: 'domain must be a host name like example.com: no address, URL, port or blank',
  });
}

/** The domain of an e-mail address, in the spelling of claims. A quoted local part may contain an `@`. */
export function domainOfEmail(email: string): string | undefined {
  return domainNameOf(email.slice(email.lastIndexOf('@') + 1));
}
