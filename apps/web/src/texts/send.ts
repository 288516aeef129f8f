import { numberText, plural } from './catalogue.js';
import { durationText } from './common.js';

/** Texts of Send. */
export const sendTexts = {
  title: 'Send a secret',
  hint: 'It is encrypted, can be read once, and is gone after 24 hours at the latest.',
  kind: 'What do you send?',
  kinds: { text: 'Text', link: 'Address', file: 'File' },
  text: 'Your secret',
  textHint: 'A password, a key, a note. It is sent exactly as you type it.',
  address: 'Address of a page',
  addressHint: 'Begins with https:// or http://. Whoever opens your link is led there, once.',
  addressInvalid: 'Enter an address that begins with https:// or http://.',
  file: 'Your file',
  chooseFile: 'Choose a file',
  otherFile: 'Choose another file',
  fileHint: (limit: string) => `At most ${limit}. You can also drop it here.`,
  fileNameHint: 'Your organization sees its name in Sent.',
  fileTooLarge: (size: number, limit: number) =>
    `This file has ${numberText(size)} bytes. A secret that is read once holds ${numberText(limit)}: larger files need a vault, from which a link that opens once shares them.`,
  fromVault: 'Send it from a vault',
  fileNeedsSeat: 'Your seat only reads vaults. An owner or an admin can give you a full one.',
  bytes: (used: number, limit: number) => `${numberText(used)} of ${numberText(limit)} bytes`,
  tooLong: (over: number) => plural(over, { one: '# byte too long.', other: '# bytes too long.' }),
  startsWithSpace: 'Your secret begins with a space or an empty line.',
  endsWithSpace: 'Your secret ends with a space or an empty line.',
  removeSpace: 'Remove it',
  expiry: 'Gone after',
  expiryOf: (minutes: number) => durationText(minutes * 60),
  audience: 'Who can open it?',
  public: 'Anybody with the link',
  publicHint: 'Once. Then the link is used up.',
  authenticated: 'Anybody who proves an e-mail address or a phone number',
  authenticatedHint: 'You see in Sent which one it was.',
  inviteOnly: 'One person',
  inviteOnlyHint: 'We send an invitation, and the person proves the address with a code.',
  recipient: 'E-mail address or phone number',
  recipientHint: 'A phone number begins with + and the code of its country.',
  boundIp: 'Only from this IP address (optional)',
  boundIpHint: 'Such as 203.0.113.7. The link opens from nowhere else.',
  options: 'More options',
  create: 'Create link',
  nothing: 'Enter your secret first.',
  noFile: 'Choose a file first.',
  noRecipient: 'Enter who can open it.',
  recipientInvalid:
    'Enter an e-mail address, or a phone number that begins with + and the code of its country.',
} as const;

/** Texts of the result of Send. */
export const sentLinkTexts = {
  title: 'Your link is ready',
  opensOnce: (until: string) => `It opens once, until ${until}.`,
  opensAddress: (until: string) => `It leads to your address once, until ${until}.`,
  invited: (identity: string) =>
    `An invitation is on its way to ${identity}. You need not send the link yourself.`,
  link: 'Link',
  linkHint: 'Whoever opens it uses it up, so do not open it yourself.',
  copyLink: 'Copy link',
  copyMessage: 'Copy with a message',
  message: (link: string, until: string) =>
    `I am sending you something that can be opened once, until ${until}:\n\n${link}\n\nOpen it when you are ready to keep it: after that the link is used up.`,
  share: 'Share',
  showCode: 'Show QR code',
  hideCode: 'Hide QR code',
  code: 'QR code of the link',
  another: 'Send another',
  notCopied: 'Leave this link?',
  notCopiedText: 'You have neither copied nor shared it. You find it in Sent until it expires.',
  leave: 'Leave it',
} as const;
