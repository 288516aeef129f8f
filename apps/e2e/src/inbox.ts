/** The fields of a mail that tests use. */
export interface Mail {
  readonly to: readonly { readonly address: string }[];
  readonly subject: string;
  readonly text: string;
}

/** The mails to this address since the stack started, the newest last. */
export async function mailsTo(mailUrl: string, address: string): Promise<Mail[]> {
  const mails = (await (await fetch(`${mailUrl}/email`)).json()) as Mail[];
  return mails.filter((mail) => mail.to.some((to) => to.address === address));
}

/** The text messages to this phone since the stack started, the newest last. */
export async function textsTo(mailUrl: string, phone: string): Promise<string[]> {
  const texts = (await (await fetch(`${mailUrl}/sms`)).json()) as { to: string; text: string }[];
  return texts.filter(({ to }) => to === phone).map(({ text }) => text);
}
