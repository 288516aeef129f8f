import { download } from '@vaultsvc/client';

/** The client's download, in a file that is loaded with the first preview. */
export const readFile = download;
