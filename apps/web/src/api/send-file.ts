import { upload } from '@vaultsvc/client';

/** The client's upload, in a file that is loaded with the first upload: it is a third of the place. */
export const sendFile = upload;
