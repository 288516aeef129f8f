/** The origin of a URL; its path may be a secret. Undefined for a text that is no URL. */
export function originOf(url: string | undefined): string | undefined {
  return url && URL.canParse(url) ? new URL(url).origin : undefined;
}

/** The sentence on a response that the API cannot have sent, such as the page of a proxy or of a captive portal. */
export function foreignAnswer(status: number, url: string | undefined): string {
  const origin = originOf(url);
  const from = origin === undefined ? '' : ` from ${origin}`;
  return `Something between answered instead of the service, such as a proxy or the sign-in page of a network: status ${status}${from}.`;
}

/** Whether a response is a page for people. The API and Forge send none to programs. */
export function isPage(contentType: string | null | undefined): boolean {
  return /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(contentType ?? '');
}
