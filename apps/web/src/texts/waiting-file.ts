/** Texts of a file that is too large for Send, on its way through a vault. */
export const waitingFileTexts = {
  title: 'A file waits to be sent',
  /** The next step, by the page that names it. */
  next: {
    list: 'Choose the vault into which it goes, or create one. Then you create a link that opens once.',
    create: 'Create a vault for it. Then open the vault, and upload the file there.',
    locked: 'Open this vault to upload it here, or choose another vault.',
    part: 'It goes into the files of this vault.',
  },
  ready: 'It goes into this folder. Then you create a link that opens once.',
  readOnly:
    'You cannot upload here: your key or your seat reads only. Open the vault with another key, or choose another vault.',
  upload: 'Upload and create a link',
  uploading: 'It is being uploaded. Then you create its link.',
  failed: 'Its upload has failed. Try again below, or cancel it there.',
  /** After the upload, by what the vault has. */
  content: {
    storing: 'The vault stores it. In a moment you create its link.',
    failed: 'The vault could not store it. Delete it below, and send it again.',
    ready: 'It is stored here. Now create its link.',
  },
  /** While the vault that has it is locked. */
  locked: {
    uploading: 'It is being uploaded. Open this vault to create its link then.',
    failed: 'Its upload has failed. Open this vault to try again.',
    stored: 'It is stored in this vault. Open the vault to create its link.',
  },
  elsewhere: {
    uploading: 'It is being uploaded. Its link is created in the files of its vault.',
    failed: 'Its upload has failed. Try again in the files of its vault.',
    stored: 'It is stored in a vault. Its link is created there.',
  },
  createLink: 'Create its link',
  toFiles: 'Go to the files',
  dismiss: 'Do not send it',
} as const;
