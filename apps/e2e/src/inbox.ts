/** As far as tests look at a mail. */
export interface Mail {
  readonly to: readonly { readonly address: string }[];
  readonly subject: string;
  readonly text: string;
}

/** What the inbox of a stack has received for this address since it started. */
export async function mailsTo(mailUrl: string, address: string): Promise<Mail[]> {
  const mails = (await (await fetch(`${mailUrl}/email`)).json()) as Mail[];
  return mails.filter((mail) => mail.to.some((to) => to.address === address));
}
