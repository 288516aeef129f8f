import { keep } from '../../api/kept.js';

/** A key that was created, until it was kept. */
export interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

/** In memory only; leaving the place loses nothing, and closing the page asks. */
export const newKeyStore = keep<{ readonly key: NewKey | undefined }>(
  { key: undefined },
  { isUnsaved: ({ key }) => key !== undefined },
);

export const forgetNewKey = (): void => newKeyStore.set({ key: undefined });
