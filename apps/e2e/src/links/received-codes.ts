import { eventually } from '@vaultsvc/testing/waiting';
import { mailsTo, textsTo } from '../inbox.js';
import { stack } from '../stack.js';

/** The newest one-time code in the mails to this address; waits for the first. */
export function mailedCode(address: string): Promise<string> {
  return newestCode(async () => (await mailsTo(stack().mail_url, address)).map(({ text }) => text));
}

/** The newest one-time code in the text messages to this phone; waits for the first. */
export function textedCode(phone: string): Promise<string> {
  return newestCode(() => textsTo(stack().mail_url, phone));
}

async function newestCode(received: () => Promise<string[]>): Promise<string> {
  const codes = async () =>
    (await received()).map((text) => /\b(\d{6})\b/.exec(text)?.[1]).filter((code) => code !== undefined);
  return (await eventually(codes, ({ length }) => length > 0)).at(-1) ?? '';
}
