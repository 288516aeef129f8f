/** A workspace, installation or person, as the server of the page lists them. */
export interface Named {
  id: string;
  name: string;
}

/** Reads JSON of the server of the page, which is ours: `T` is the caller's knowledge of it. */
export async function read<T>(path: string): Promise<T> {
  return (await (await fetch(path)).json()) as T;
}

/** What our API has answered to the provider. */
export interface Answer {
  status: number;
  text: string;
}

export async function post(path: string, body: object): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Answer;
}

/** The text for an answer that the provider cannot use. */
export function refusalText({ status, text }: Answer) {
  return `The API answered ${status}: ${text}`;
}
