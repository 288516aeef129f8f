const USER = /<@([UW][A-Z0-9]+)(?:\|[^>]*)?>/;
const CHANNEL = /<#([CG][A-Z0-9]+)(?:\|[^>]*)?>/;

/** The person or channel that the text of a command names, which the modal pre-selects (CHT-15). */
export function recipientIn(text: string): string | undefined {
  return (USER.exec(text) ?? CHANNEL.exec(text))?.[1];
}
