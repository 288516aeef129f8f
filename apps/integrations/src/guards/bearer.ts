import { AppError, type ProviderContext } from '@vaultsvc/contracts';

/** The one bearer of a request. @throws AUTHENTICATION_ERROR without exactly one */
export function bearerOf({ signedRequest }: ProviderContext): string {
  const [, bearer] = /^Bearer +([^\s,]+) *$/i.exec(signedRequest.headers['authorization'] ?? '') ?? [];
  if (bearer === undefined) throw new AppError('AUTHENTICATION_ERROR');
  return bearer;
}
