import { ApiError, type Client } from '@vaultsvc/client';

interface Ends {
  /** The token has ended. */
  readonly onEnd: (reason: 'expired' | 'sealed') => void;
  readonly onReadOnly: () => void;
}

/** What the API answers when a token of a vault does not fit, each with 403. */
const EXPIRED = 'The Vault Access Token has expired.';
const READ_ONLY = 'The Vault Access Token may read only.';
const FOREIGN = 'The Vault Access Token is not for this vault and this caller.';

/** A client with the token of a vault, which reports when the API no longer takes this token. */
export function guarded(client: Client, ends: Ends): Client {
  const guard = <C extends (...args: never[]) => Promise<unknown>>(call: C): C =>
    (async (...args: never[]) => {
      try {
        return await call(...args);
      } catch (error) {
        report(error, ends);
        throw error;
      }
    }) as C;
  const { GET, POST, PUT, PATCH, DELETE } = client;
  return {
    ...client,
    GET: guard(GET as never) as Client['GET'],
    POST: guard(POST as never) as Client['POST'],
    PUT: guard(PUT as never) as Client['PUT'],
    PATCH: guard(PATCH as never) as Client['PATCH'],
    DELETE: guard(DELETE as never) as Client['DELETE'],
  };
}

function report(error: unknown, { onEnd, onReadOnly }: Ends): void {
  if (!(error instanceof ApiError)) return;
  const { status, message } = error;
  // The session was renewed before a 401 arrives here, so that the other credential is meant.
  if (status === 401 || message === FOREIGN) onEnd('sealed');
  if (message === EXPIRED) onEnd('expired');
  if (message === READ_ONLY) onReadOnly();
}
