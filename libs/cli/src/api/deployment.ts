import { ApiError, type Client, type Schema } from '@vaultsvc/client';

/** Origins, limits, sign-in and features of an API. */
export type Deployment = Schema<'PublicConfig'>;

/** Reads what an API says of itself, without credentials; undefined for an API of a release before. */
export async function readDeployment(client: Client): Promise<Deployment | undefined> {
  try {
    return (await client.GET('/v1/config')).data;
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.status === 404 && error.code !== 'UNKNOWN';
    if (isUnknown) return undefined;
    throw error;
  }
}
