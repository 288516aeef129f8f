// A page that uploads one file with Uppy. It stores the forge_url of each file, by which Uppy resumes the upload after a
// reload.
import Uppy from '@uppy/core';
import Tus from '@uppy/tus';
import { elementOf, onFile } from '../browser/page-element.client.ts';

const CHUNK_BYTES = 52_428_800;
const shown = elementOf('state', HTMLOutputElement);

const keyOf = ({ name, size, lastModified }: File) => `forge_url ${name} ${size} ${lastModified}`;

/** Requests the forge_url from the page's server, which has the credentials; the page itself never receives them. */
async function forgeUrlOf(file: File) {
  const kept = localStorage.getItem(keyOf(file));
  if (kept) return kept;
  const answer = await fetch('/forge-url', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: file.name, bytes: file.size }),
  });
  const { forge_url } = (await answer.json()) as { forge_url: string };
  localStorage.setItem(keyOf(file), forge_url);
  return forge_url;
}

async function upload(file: File) {
  const uppy = new Uppy({ autoProceed: false });
  uppy.use(Tus, {
    endpoint: await forgeUrlOf(file),
    chunkSize: CHUNK_BYTES,
    retryDelays: [0, 1_000, 3_000, 5_000, 10_000, 20_000, 21_000],
    removeFingerprintOnSuccess: true,
  });
  uppy.on('upload-progress', (_file, { bytesUploaded }) => {
    shown.dataset.bytes = String(bytesUploaded);
  });
  uppy.addFile({ name: file.name, type: file.type, data: file });
  const { successful = [], failed = [] } = (await uppy.upload()) ?? {};
  if (failed[0]) return `failed: ${failed[0].error}`;
  localStorage.removeItem(keyOf(file));
  return `complete: ${successful.length}`;
}

onFile(elementOf('file', HTMLInputElement), async (file) => {
  shown.textContent = 'uploading';
  shown.textContent = await upload(file).catch((error: unknown) => `failed: ${messageOf(error)}`);
});

function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error);
}
