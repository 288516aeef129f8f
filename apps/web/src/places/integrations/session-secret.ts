import { keep } from '../../api/kept.js';

/** The secret of an org, until it was kept. */
export interface SessionSecret {
  readonly org: string;
  readonly secret: string;
}

/** In memory only; leaving the place loses nothing, and closing the page asks. */
export const sessionSecretStore = keep<{ readonly kept: SessionSecret | undefined }>(
  { kept: undefined },
  { isUnsaved: ({ kept }) => kept !== undefined },
);
