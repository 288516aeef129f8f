// A vault with many small files, through the public API and Forge as docs/files.md shows it.
import type { StackDescription } from '../../stack/descriptor.ts';

export interface FilledVault {
  id: string;
  /** Its master key. */
  key: string;
  /** The names of the files, in their order. */
  names: readonly string[];
}

/** Uploads that run at once. */
const AT_ONCE = 8;
const TUS = { 'tus-resumable': '1.0.0' };

/** Of the account of the stack. */
export async function fillVault({ api_url, account }: StackDescription, count: number): Promise<FilledVault> {
  const headers = { 'x-api-key': account.api_key ?? '', 'content-type': 'application/json' };
  const post = async <T>(path: string, body: object, more: Record<string, string> = {}) => {
    const answer = await fetch(`${api_url}/v1/vaults${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
    await assertOk(answer);
    return ((await answer.json()) as { data: T }).data;
  };
  const { vault_id: id, vmk: key } = await post<{ vault_id: string; vmk: string }>('', {
    name: 'A thousand',
  });
  const { vat } = await post<{ vat: string }>(`/${id}/unseal`, { vmk: key });
  const names = Array.from({ length: count }, (_, index) => `file ${String(index).padStart(4, '0')}.txt`);
  const left = names.values();
  const work = async () => {
    for (const name of left) {
      const file = { name, size_bytes: name.length, content_type: 'text/plain' };
      const created = await post<{ forge_url: string }>(`/${id}/ingots`, file, {
        'x-vault-access-token': vat,
      });
      await store(created.forge_url, name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { id, key, names };
}

/** Sends the content in one chunk (tus 1.0). */
async function store(forgeUrl: string, content: string) {
  const created = await fetch(forgeUrl, {
    method: 'POST',
    headers: { ...TUS, 'upload-length': String(content.length) },
  });
  await assertOk(created);
  const sent = await fetch(new URL(created.headers.get('location') ?? '', forgeUrl), {
    method: 'PATCH',
    headers: { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: content,
  });
  await assertOk(sent);
}

async function assertOk(answer: Response) {
  if (!answer.ok) throw new Error(`${answer.url} was answered ${answer.status}: ${await answer.text()}`);
}
