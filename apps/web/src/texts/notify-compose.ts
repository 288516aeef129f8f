import { plural } from './catalogue.js';

/** Texts of writing and previewing a notification. */
export const composeTexts = {
  title: 'Notify people',
  hint: 'Each recipient gets a link that opens once. You see a preview before anything is sent.',
  recipients: 'Recipients',
  add: 'Add a recipient',
  addHint: 'A name of your organization, an e-mail address, or a phone number such as +44 20 7946 0000.',
  addButton: 'Add',
  suggestions: 'People of your organization',
  added: 'Recipients of this notification',
  addPerson: (name: string) => `Add ${name}`,
  remove: (name: string) => `Remove ${name}`,
  noRecipients: 'Add at least one recipient.',
  notAdded: 'Add this recipient, or clear the field.',
  badRecipient: (text: string) => `“${text}” is no e-mail address, and no phone number with a country code.`,
  tooMany: 'A notification has 500 recipients at most.',
  subject: 'Subject (optional)',
  subjectHint: 'Not sealed: it is in the message itself, so put no secret here.',
  content: 'Sealed content',
  contentHint: 'Only the recipient reads it, once, behind the link.',
  noContent: 'Enter what the recipients are to read.',
  tooLong: 'This is longer than 256,000 bytes. Send it as a file from a vault instead.',
  lifetime: 'The link opens for',
  proof: 'Who may open it',
  proofHints: {
    none: 'The link alone opens it. Whoever has the message has the content.',
    identifier: 'The recipient confirms the address with a code first.',
    passkey: 'The recipient uses a passkey. A first passkey is set up by a code over a second channel.',
    out_of_band: 'The recipient enters a code that comes over another channel than the link.',
    dual_control: 'It opens once a second recipient has confirmed as well. Needs two recipients.',
  },
  action: 'What you ask for',
  actions: {
    view: 'To read it',
    acknowledge: 'To acknowledge it',
    sign: 'To sign it',
    approve: 'To approve or deny it',
    reply: 'To reply',
  },
  actionHint: 'Each action gives you a signed receipt.',
  unproven:
    'The receipt will not prove who it was: anybody with the link can answer. Ask for a code or a passkey to know.',
  more: 'More settings',
  category: 'Category (optional)',
  categoryHint: 'Recipients can switch off a category. It is not sealed.',
  how: 'Channels',
  byDefault: 'As your organization has set',
  own: 'Choose for this notification',
  steps: 'Steps',
  step: (number: number) => `Step ${number}`,
  first: 'At once by',
  later: (number: number) => `Step ${number} by`,
  after: (number: number) => `Step ${number}, if unopened, after`,
  addStep: 'Add a reminder',
  removeStep: (number: number) => `Remove step ${number}`,
  onlyFirst: 'Your organization has reminders switched off: only the first step is sent.',
  preview: 'Preview',
  change: 'Change',
  previewTitle: 'Check before you send',
  previewHint: (count: number) =>
    plural(count, {
      one: 'Nothing has been sent yet. This is what # recipient will get.',
      other: 'Nothing has been sent yet. This is what # recipients will get, each with an own link.',
    }),
  send: (count: number) => plural(count, { one: 'Send to # person', other: 'Send to # people' }),
  sent: 'The notification was accepted. Its status is below.',
  sentBefore: 'This notification had been accepted already. Nothing was sent twice.',
  noAnswer: 'There was no answer, so it may have been sent. Press again: it is never sent twice.',
  toBilling: 'Go to billing',
  discard: 'Discard',
  discardTitle: 'Discard this notification?',
  discardText: 'What you have typed is lost. Nothing was sent.',
} as const;

/** Texts of the previews. The messages are those of the platform, in the words in which it sends them. */
export const previewTexts = {
  message: (channel: string) => `Preview: ${channel}`,
  step: (number: number, delay: string | undefined) =>
    delay === undefined ? 'At once' : `Step ${number}: ${delay} later, to those who have not opened`,
  to: 'To',
  subject: 'Subject',
  headline: (organization: string) => `${organization} sent you a sealed message`,
  mailText: (until: string) =>
    `It can be opened once, until ${until}. The link is for you alone. Do not forward it.`,
  open: 'Open the message',
  footer: (address: string) =>
    `This mail was sent to ${address} because a service that you use entered this address. Nothing opens until you follow the link.`,
  short: (headline: string, until: string) => `${headline}. Opens once, until ${until}: https://…`,
  chat: (recipient: string, until: string) => `For ${recipient}. Opens once, until ${until}.`,
  push: 'Open it to read it once.',
  call: 'A voice reads the sender and the subject, and says that a sealed message waits.',
  feed: 'An entry of the live feed, with the subject and the link.',
  inApp: 'Your own application shows it: it reads the link from the status of the notification.',
  webhook: 'A signed request to your endpoint, with the subject, the recipient and the link.',
  noAddress: (count: number) =>
    plural(count, {
      one: '# recipient has no address for this channel and is skipped.',
      other: '# recipients have no address for this channel and are skipped.',
    }),
  behind: 'Behind the link',
  sealed: (bytes: string) => `Sealed: ${bytes}. It is in none of the messages.`,
  proof: 'Opens for',
  action: 'Then asks',
  show: 'Show the content',
  hide: 'Hide the content',
  content: 'Content',
} as const;

/** The waits that are offered, in seconds. */
export const delayTexts: Readonly<Record<string, string>> = {
  '0': 'no wait',
  '300': '5 minutes',
  '900': '15 minutes',
  '3600': '1 hour',
  '14400': '4 hours',
  '86400': '1 day',
};

export const lifetimeTexts: Readonly<Record<string, string>> = {
  '1440': '24 hours',
  '240': '4 hours',
  '60': '1 hour',
  '15': '15 minutes',
};
